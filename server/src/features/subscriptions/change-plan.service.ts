import { changePlan as changePlanCall } from '#shared/contract/subscription.ts';
import type { User } from '#shared/contract/user.ts';
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
import { lockWorkspace } from '../users/workspace-lock.ts';
import { beginEra, isChangeable } from './apply-plan-change.ts';
import { auditSubscription } from './audit-subscription.ts';
import { addToBalance, lockBalance } from './billing-balance.repository.ts';
import { insertInvoice, markPaid } from './invoice.repository.ts';
import { openAttempt } from './open-renewal.ts';
import { type QuoteRow, splitOf } from './quote.service.ts';
import { planOf } from './subscription-clock.ts';
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
 * Changes the plan for the quoted price, charged to the saved card (D5). As with checkouts, the
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
  const change = { workspaceId, quoteId, attemptId };
  const claim = await openChange(deps, change).catch(async (error: unknown) => {
    if (error instanceof ApiError) await takeBackCheckout(deps, origin);
    throw error;
  });
  const settlement = claim ? await collectCharge(deps, claim) : ({ kind: 'paid' } as const);
  return answerSettlement(deps, session, settlement, SENTENCES);
}

/**
 * Writes what the quote says, if it still holds. A change that costs nothing today is in force at once.
 * @returns the charge, claimed; undefined when nothing is to be charged
 * @throws ApiError `not_found`, `price_changed`, `payment_unknown`, `no_session`
 */
export function openChange(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { workspaceId, quoteId, attemptId }: { workspaceId: string; quoteId: string; attemptId: string },
): Promise<ChargeClaim | undefined> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const found = await findQuote(tx, workspaceId, quoteId);
    const row =
      found && (await lockSubscription(tx, { workspaceId, subscriptionId: found.subscription_id }));
    await lockWorkspace(tx, workspaceId);
    // Read again behind the lock: its twin may have used it.
    const quote = await findQuote(tx, workspaceId, quoteId);
    if (!row || !quote) throw new ApiError('not_found', 'There is no such quote.');
    // The same submit again: it cost nothing, so there was no charge to find.
    if (quote.used_by === attemptId) return undefined;
    if (await isBeingCharged(tx, keyOf(row))) throw paymentBeingChecked();
    const balanceCents = await lockBalance(tx, workspaceId);
    if (!holds(quote, row, balanceCents, now)) throw priceChanged();
    return useQuote(tx, deps, { quote, row, attemptId, now });
  });
}

function holds(quote: QuoteRow, row: SubscriptionRow, balanceCents: number, now: Date): boolean {
  return (
    quote.used_at === null &&
    quote.expires_at > now &&
    isChangeable(row) &&
    row.next_billing_at.getTime() > now.getTime() === (quote.state === 'Active') &&
    quote.state === row.state &&
    quote.era === row.era &&
    quote.period === row.period &&
    quote.balance_cents === balanceCents
  );
}

function priceChanged(): ApiError {
  return new ApiError(
    'price_changed',
    'The price has changed since it was shown. You were not charged; please look at the new price.',
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

interface QuoteUse {
  quote: QuoteRow;
  row: SubscriptionRow;
  attemptId: string;
  now: Date;
}

async function useQuote(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { quote, row, attemptId, now }: QuoteUse,
): Promise<ChargeClaim | undefined> {
  const { workspace_id: workspaceId } = row;
  const { amountCents, balanceUsedCents } = splitOf(quote);
  const era = row.last_era + 1;
  const id = deps.ids.uuid();
  const key = keyOf(row);
  await insertInvoice(tx, {
    ...key,
    id,
    era,
    period: 0,
    amountCents,
    balanceUsedCents,
    description: `Plan change: ${planOf(quote.package).description} likes per post`,
    checkout: {
      kind: 'plan_change',
      subscriptionId: row.id,
      accountId: row.account_id,
      fromEra: row.era,
      package: quote.package,
    },
    now,
  });
  await addToBalance(tx, { ...key, key: `invoice:${id}`, cents: -balanceUsedCents, now });
  await tx
    .updateTable('plan_quote')
    .set({ used_at: now, used_by: attemptId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', quote.id)
    .execute();
  if (amountCents === 0) {
    await markPaid(tx, { workspaceId, invoiceId: id }, now);
    await beginEra(tx, row, { era, package: quote.package, now });
    await auditSubscription(tx, row, { action: 'plan_changed', now });
    return undefined;
  }
  await changeSubscription(tx, row, { last_era: era });
  return openAttempt(tx, deps, workspaceId, { id, amountCents }, now, attemptId);
}

function changeReturned(): ApiError {
  return new ApiError(
    'price_changed',
    'Your plan was stopped or changed while you were paying. Your payment is being returned in full.',
  );
}
