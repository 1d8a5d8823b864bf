import { changePlan as changePlanCall } from '#shared/contract/money/subscription.ts';
import type { User } from '#shared/contract/people/user.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import type { ChargeClaim } from '../charges/charge.repository.ts';
import {
  type CheckoutAttempt,
  limitCheckouts,
  type Payer,
  type Prepared,
  runCheckout,
  takeBackCheckout,
} from '../checkout/run-checkout.service.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { checkBudgets } from '../budgets/budgets.service.ts';
import { countRaise, countSpend } from '../checkout/spend-limit.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { isChangeable } from '../subscriptions/apply-plan-change.ts';
import {
  auditSubscription,
  changeSubscription,
  keyOf,
  lockSubscription,
  oweMail,
} from '../subscriptions/subscription-work.repository.ts';
import { comingPlan, isPayableNoMore } from '../subscriptions/subscription-clock.ts';
import { insertInvoice } from '../subscriptions/invoice.repository.ts';
import { type AccountName, withSubscription } from '../cancellation/cancellation.service.ts';
import { openInvoiceCharge } from '../renewals/open-renewal.ts';
import {
  endChosenPlan,
  endPlanBeforeChoice,
  holdDecisions,
} from '../subscriptions/past-plan.repository.ts';
import { findQuote, markUsed, type QuoteRow } from './plan-quote.repository.ts';
import { computeQuote, isJustDue, startOf } from './quote.service.ts';
import { refuseMoreReturns } from '../charges/return-limits.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';

/**
 * Changes the plan for the quoted price, charged to the saved card; or, to a cheaper one, plans it (D5).
 * @throws ApiError those of `openChange` and `runCheckout`
 */
export function changePlan(
  deps: Deps,
  attempts: Attempts,
  { quoteId, ...payer }: Payer & { quoteId: string },
): Promise<{ data: User; message?: string }> {
  return runCheckout(deps, attempts, payer, {
    path: changePlanCall.path,
    form: { quoteId },
    prepare: (attempt) => prepare(deps, quoteId, attempt),
    sentences: { paid: 'Your plan has been changed.', returned: changeReturned },
  });
}

async function prepare(deps: Deps, quoteId: string, attempt: CheckoutAttempt): Promise<Prepared> {
  await limitCheckouts(deps, attempt);
  const change = { ...attempt, quoteId, actor: attempt.userId };
  const claim = await openChange(deps, change).catch(async (error: unknown) => {
    if (error instanceof ApiError) await takeBackCheckout(deps, attempt);
    throw error;
  });
  if (claim) return { kind: 'charge', claim };
  const message = 'Your plan changes on its next due date. Nothing changes until then.';
  return { kind: 'done', message };
}

/**
 * Writes what the quote says, if it still holds: a dearer plan waits for its charge, a cheaper one for its due
 * date.
 * @returns the charge, claimed; undefined when nothing is to be charged
 * @throws ApiError `not_found`, `price_changed`, `payment_needs_action`, `payment_unknown`, `session_ended`,
 * `payment_unavailable`, `spend_limit`, `budget_reached`
 */
export function openChange(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  { workspaceId, quoteId, attemptId, actor, check, isQuiet, isAbsent = false }: PlanChangeAttempt,
): Promise<ChargeClaim | undefined> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const found = await findQuote(tx, workspaceId, quoteId);
    const row =
      found && (await lockSubscription(tx, { workspaceId, subscriptionId: found.subscription_id }));
    await lockWorkspace(tx, workspaceId);
    // Read again behind the lock: its duplicate may have used it.
    const quote = await findQuote(tx, workspaceId, quoteId);
    if (!row || !quote)
      throw new ApiError('not_found', 'We can’t find this quote. Please check the price again.');
    // The same attempt again: it cost nothing, so there was no charge to find.
    if (quote.used_by === attemptId) return undefined;
    await check?.(row, tx);
    await refuseSecondPayment(tx, row.workspace_id, { subscriptionId: row.id });
    await holdDecisions(tx, row);
    if (!(await holds(tx, quote, row, now))) throw priceChanged();
    await markUsed(tx, quote, { attemptId, now });
    const presence = isAbsent ? ('absent' as const) : ('present' as const);
    const use = { quote, row, attemptId, actor, presence, isQuiet, now };
    const raise = raiseOf(row, quote.package);
    if (quote.starts_at) {
      // Cheaper than what runs, and still dearer than what was chosen to follow it.
      const isFirst = row.next_package === null;
      await countRaise(tx, { ...raise, subscriptionId: row.id, isFirst }, actor, now);
      await planChange(tx, deps, use, quote.starts_at);
      await checkBudgets(tx, { ...raise, amountCents: 0, addedFrom: quote.starts_at, now });
      return undefined;
    }
    const claim = await invoice(tx, deps, use);
    const { total_cents: amountCents } = quote;
    if (actor !== undefined) {
      const person = { workspaceId, userId: actor, attemptId, isAbsent };
      await refuseMoreReturns({ ...deps, database: { db: tx } }, person);
      await countSpend(tx, { ...claim, userId: actor, amountCents, now });
    }
    await checkBudgets(tx, { ...raise, amountCents, addedFrom: null, now });
    return claim;
  });
}

/** What a month of an account costs more with a plan than with the one that it would go on with. */
function raiseOf(row: SubscriptionRow, plan: number) {
  const addedMonthlyCents = getPlan(plan).priceCents - comingPlan(row).priceCents;
  return { workspaceId: row.workspace_id, accountId: row.account_id, addedMonthlyCents };
}

interface PlanChangeAttempt extends Pick<AccountName, 'check' | 'isQuiet'> {
  workspaceId: WorkspaceId;
  quoteId: string;
  attemptId: string;
  /** Who asks: for the audit log, and whose spending it is. */
  actor?: string | undefined;
  /** Nobody is there whom their bank could ask. */
  isAbsent?: boolean;
}

/** Computed anew, so that a quote of another day holds on no clock, however far these are apart. */
async function holds(tx: Tx, quote: QuoteRow, row: SubscriptionRow, now: Date): Promise<boolean> {
  const isSame =
    quote.used_at === null &&
    quote.expires_at > now &&
    isChangeable(row) &&
    !isJustDue(row, now) &&
    !isPayableNoMore(row, now) &&
    quote.state === row.state &&
    quote.subscription_version === row.subscription_version &&
    quote.period === row.period;
  if (!isSame) return false;
  const plan = await computeQuote(tx, row, quote.package, now);
  return (
    plan.totalCents === quote.total_cents && startOf(plan)?.getTime() === quote.starts_at?.getTime()
  );
}

function priceChanged(): ApiError {
  return new ApiError(
    'price_changed',
    'The price has changed since you saw it. You were not charged. Please check the new price.',
  );
}

interface QuoteUse {
  quote: QuoteRow;
  row: SubscriptionRow;
  attemptId: string;
  actor: string | undefined;
  presence: 'present' | 'absent';
  isQuiet: boolean | undefined;
  now: Date;
}

/** Keeps the cheaper plan for the due date it was shown with. */
async function planChange(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { quote, row, actor, isQuiet, now }: QuoteUse,
  startsAt: Date,
): Promise<void> {
  await endPlanBeforeChoice(tx, row, now);
  await changeSubscription(tx, row, { next_package: quote.package });
  const mail = {
    kind: 'plan_change_planned',
    subscriptionId: row.id,
    package: quote.package,
    startsAt: startsAt.toISOString(),
  } as const;
  if (!isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'plan_change_planned', actor, now });
}

async function invoice(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { quote, row, attemptId, presence, now }: QuoteUse,
): Promise<ChargeClaim> {
  const { workspace_id: workspaceId } = row;
  const version = row.last_subscription_version + 1;
  const id = deps.ids.uuid();
  const amountCents = quote.total_cents;
  await insertInvoice(tx, {
    ...keyOf(row),
    id,
    version,
    period: 0,
    amountCents,
    description: `Plan change: ${getPlan(quote.package).description} likes per post`,
    checkout: {
      kind: 'plan_change',
      subscriptionId: row.id,
      accountId: row.account_id,
      fromVersion: row.subscription_version,
      package: quote.package,
    },
    now,
  });
  await changeSubscription(tx, row, { last_subscription_version: version });
  const charge = { id, amountCents, presence, chargeId: attemptId, now };
  return openInvoiceCharge(tx, deps, workspaceId, charge);
}

/**
 * Takes a planned change back, as often as asked.
 * @throws ApiError `not_found`, `spend_limit`, `budget_reached`
 */
export function keepPlan(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  name: AccountName,
): Promise<void> {
  return withSubscription(deps, name, async (tx, row, now) => {
    if (row.next_package === null) return;
    await endChosenPlan(tx, row, now);
    await changeSubscription(tx, row, { next_package: null });
    const raise = { ...raiseOf(row, row.package), addedFrom: row.next_billing_at };
    await countRaise(tx, { ...raise, subscriptionId: row.id }, name.actor, now);
    await checkBudgets(tx, { ...raise, amountCents: 0, now });
    const nextBillingAt = row.next_billing_at.toISOString();
    const mail = { kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt } as const;
    if (!name.isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
    await auditSubscription(tx, row, { action: 'plan_kept', actor: name.actor, now });
  });
}

function changeReturned(): ApiError {
  return new ApiError(
    'price_changed',
    'Your plan was stopped or changed while you were paying. We’re returning your payment in full.',
  );
}
