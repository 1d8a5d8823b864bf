import { changePlan as changePlanCall } from '#shared/contract/subscription.ts';
import type { User } from '#shared/contract/user.ts';
import { getPlan } from '#shared/domain/plans.ts';
import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import {
  paymentBeingChecked,
  type SubmitOutcome,
  type Submits,
} from '../../http/submit.service.ts';
import { answerSettlement, type SettlementSentences } from '../billing/answer-settlement.ts';
import { bringOnCharge } from '../billing/bring-on-charge.service.ts';
import { type ChargeClaim, findCharge } from '../billing/charge.repository.ts';
import { collectCharge } from '../billing/collect-charge.service.ts';
import { limitCheckouts, takeBackCheckout } from '../billing/limit-checkouts.ts';
import { paymentDeclined } from '../billing/payment-error.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import type { Session } from '../users/session.service.ts';
import { viewUser } from '../users/user-view.service.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { isChangeable } from './apply-plan-change.ts';
import { auditSubscription } from './audit-subscription.ts';
import { insertInvoice } from './invoice.repository.ts';
import { type AccountName, withSubscription } from './exits.service.ts';
import { openAttempt } from './open-renewal.ts';
import { endChosenPlan, endPlanBeforeChoice, holdDecisions } from './past-plan.repository.ts';
import { computeQuote, isJustDue, type QuoteRow, startOf } from './quote.service.ts';
import { sendMail } from './send-mail.ts';
import {
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockSubscription,
} from './subscription-work.repository.ts';

/** A plan change as it arrived. */
export interface ChangeSubmit {
  session: Session;
  quoteId: string;
  idempotencyKey: string | undefined;
  /** The client's. */
  address: string;
}

const SENTENCES: SettlementSentences = {
  paid: 'Your plan has been changed.',
  declined: paymentDeclined,
  returned: changeReturned,
};

/**
 * Changes the plan for the quoted price, charged to the saved card; or, to a cheaper one, plans it (D5). As with checkouts, the
 * submit's attempt id is the charge's id: whoever runs the attempt again only brings that charge on.
 */
export function changePlan(
  deps: Deps,
  submits: Submits,
  submit: ChangeSubmit,
): Promise<{ data: User; message?: string }> {
  const { workspaceId, userId } = submit.session;
  const { idempotencyKey, quoteId } = submit;
  return submits.run(
    { workspaceId, userId, call: changePlanCall.path, idempotencyKey, form: { quoteId } },
    (attemptId) => attempt(deps, submit, attemptId),
  );
}

async function attempt(
  deps: Deps,
  { session, quoteId, address }: ChangeSubmit,
  attemptId: string,
): Promise<SubmitOutcome<User>> {
  const { workspaceId } = session;
  const key = { workspaceId, chargeId: attemptId };
  if (await findCharge(deps.database.db, key)) {
    return answerSettlement(deps, session, await bringOnCharge(deps, key), SENTENCES);
  }
  const origin = { workspaceId, address };
  await limitCheckouts(deps, origin);
  const change = { workspaceId, quoteId, attemptId, actor: session.userId };
  const claim = await openChange(deps, change).catch(async (error: unknown) => {
    if (error instanceof ApiError) await takeBackCheckout(deps, origin);
    throw error;
  });
  if (claim) return answerSettlement(deps, session, await collectCharge(deps, claim), SENTENCES);
  const message = 'Your plan changes on its next due date. Nothing changes until then.';
  return { kind: 'done', data: await viewUser(deps, session), message };
}

/**
 * Writes what the quote says, if it still holds: a dearer plan waits for its charge, a cheaper one for its due
 * date.
 * @returns the charge, claimed; undefined when nothing is to be charged
 * @throws ApiError `not_found`, `price_changed`, `payment_unknown`, `session_ended`
 */
export function openChange(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { workspaceId, quoteId, attemptId, actor }: PlanChangeAttempt,
): Promise<ChargeClaim | undefined> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const found = await findQuote(tx, workspaceId, quoteId);
    const row =
      found && (await lockSubscription(tx, { workspaceId, subscriptionId: found.subscription_id }));
    await lockWorkspace(tx, workspaceId);
    // Read again behind the lock: its twin may have used it.
    const quote = await findQuote(tx, workspaceId, quoteId);
    if (!row || !quote)
      throw new ApiError('not_found', 'We can’t find this quote. Please check the price again.');
    // The same submit again: it cost nothing, so there was no charge to find.
    if (quote.used_by === attemptId) return undefined;
    if (await isBeingCharged(tx, keyOf(row))) throw paymentBeingChecked();
    await holdDecisions(tx, row);
    if (!(await holds(tx, quote, row, now))) throw priceChanged();
    await markUsed(tx, quote, { attemptId, now });
    const use = { quote, row, attemptId, actor, now };
    return quote.starts_at ? planChange(tx, deps, use, quote.starts_at) : invoice(tx, deps, use);
  });
}

interface PlanChangeAttempt {
  workspaceId: string;
  quoteId: string;
  attemptId: string;
  /** Who asks, for the audit log. */
  actor?: string | undefined;
}

/** Computed anew, so that a quote of another day holds on no clock, however far these are apart. */
async function holds(tx: Tx, quote: QuoteRow, row: SubscriptionRow, now: Date): Promise<boolean> {
  const isSame =
    quote.used_at === null &&
    quote.expires_at > now &&
    isChangeable(row) &&
    !isJustDue(row, now) &&
    quote.state === row.state &&
    quote.era === row.era &&
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

function findQuote(tx: Tx, workspaceId: string, quoteId: string): Promise<QuoteRow | undefined> {
  return tx
    .selectFrom('plan_quote')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', quoteId)
    .executeTakeFirst();
}

function markUsed(
  tx: Tx,
  { workspace_id: workspaceId, id }: QuoteRow,
  { attemptId, now }: { attemptId: string; now: Date },
): Promise<unknown> {
  return tx
    .updateTable('plan_quote')
    .set({ used_at: now, used_by: attemptId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

interface QuoteUse {
  quote: QuoteRow;
  row: SubscriptionRow;
  attemptId: string;
  actor: string | undefined;
  now: Date;
}

/** Keeps the cheaper plan for the due date it was shown with. */
async function planChange(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { quote, row, actor, now }: QuoteUse,
  startsAt: Date,
): Promise<undefined> {
  await endPlanBeforeChoice(tx, row, now);
  await changeSubscription(tx, row, { next_package: quote.package });
  const mail = {
    kind: 'plan_change_planned',
    subscriptionId: row.id,
    package: quote.package,
    startsAt: startsAt.toISOString(),
  } as const;
  await sendMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'plan_change_planned', actor, now });
}

async function invoice(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { quote, row, attemptId, now }: QuoteUse,
): Promise<ChargeClaim> {
  const { workspace_id: workspaceId } = row;
  const era = row.last_era + 1;
  const id = deps.ids.uuid();
  const amountCents = quote.total_cents;
  await insertInvoice(tx, {
    ...keyOf(row),
    id,
    era,
    period: 0,
    amountCents,
    description: `Plan change: ${getPlan(quote.package).description} likes per post`,
    checkout: {
      kind: 'plan_change',
      subscriptionId: row.id,
      accountId: row.account_id,
      fromEra: row.era,
      package: quote.package,
    },
    now,
  });
  await changeSubscription(tx, row, { last_era: era });
  return openAttempt(tx, deps, workspaceId, { id, amountCents }, now, attemptId);
}

/**
 * Takes a planned change back, as often as asked.
 * @throws ApiError `not_found`
 */
export function keepPlan(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  name: AccountName,
): Promise<void> {
  return withSubscription(deps, name, async (tx, row, now) => {
    if (row.next_package === null) return;
    await endChosenPlan(tx, row, now);
    await changeSubscription(tx, row, { next_package: null });
    const nextBillingAt = row.next_billing_at.toISOString();
    const mail = { kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt } as const;
    await sendMail(tx, deps, row.workspace_id, mail, now);
    await auditSubscription(tx, row, { action: 'plan_kept', actor: name.actor, now });
  });
}

function changeReturned(): ApiError {
  return new ApiError(
    'price_changed',
    'Your plan was stopped or changed while you were paying. We’re returning your payment in full.',
  );
}
