import { DAY_MS } from '#shared/domain/durations.ts';
import { moneyBack, type MoneyBackAmount } from '#shared/domain/money/money-back.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { lockRefundable, planRefunds } from '../charges/refund.repository.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { hasOpenDispute } from '../cards/disputed-card.repository.ts';
import { lockBalance } from '../credits/ledger.repository.ts';
import { takeGivenCredits } from '../credits/ledger.service.ts';
import { requestCancel } from '#server/delivery/orders/like-order.repository.ts';
import {
  auditSubscription,
  keyOf,
  lockNewest,
  oweMail,
  type SubscriptionKey,
} from '../subscriptions/subscription-work.repository.ts';
import {
  claimFreeLikes,
  claimRefundRights,
  hasEarlierRefundRight,
} from '../subscriptions/refund-right.repository.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { type AccountName, withSubscription } from '../cancellation/cancellation.service.ts';
import {
  changeRefundRequest,
  findRefundRequest,
  insertRefundRequest,
  listDueApprovals,
  listFinished,
  lockRefundRequest,
  sumRequestedRefunds,
} from './refund-request.repository.ts';
import {
  daysOver,
  disputedFirst,
  earlierFirst,
  readRefundFigures,
  returnedBefore,
} from './refund-quote.service.ts';
import { readPlanUse } from './refund-figures.repository.ts';
import { moneyBackUntil } from '../subscriptions/subscription-clock.ts';
import type { RefundRequestRow } from '#server/kit/db/tables/subscription-work.table.ts';

type RefundRequestDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const APPROVE_WITHIN_MS = 3 * DAY_MS;

/**
 * Ends a new subscription and returns what was charged for it, less what it delivered (D5,
 * shared/domain/money/money-back.ts); one that has ended in its first 30 days gets its money back within
 * them too. Asked again while no other plan runs for the account, it answers how the first request
 * stands.
 * @throws ApiError `not_found`, `money_back_over`, `payment_disputed`
 */
export function requestRefund(
  deps: RefundRequestDeps & Pick<Deps, 'settings'>,
  name: AccountName,
): Promise<RefundRequestRow> {
  const ofEnded = async (tx: Tx, accountId: AccountId): Promise<RefundRequestRow | undefined> => {
    const row = await lockNewest(tx, name.workspaceId, accountId);
    const known = await findRefundRequest(tx, name.workspaceId, accountId);
    if (known || !row) return known;
    const now = new Date(deps.clock.now());
    return now > moneyBackUntil(row) ? undefined : request(tx, deps, { row, now, ...name });
  };
  return withSubscription(
    deps,
    name,
    async (tx, row, now) => {
      if (now <= moneyBackUntil(row)) return request(tx, deps, { row, now, ...name });
      throw daysOver();
    },
    ofEnded,
  );
}

async function request(
  tx: Tx,
  deps: RefundRequestDeps & Pick<Deps, 'settings'>,
  { row, now, igUsername, actor }: AccountName & { row: SubscriptionRow; now: Date },
): Promise<RefundRequestRow> {
  if (await hasOpenDispute(tx, row.workspace_id)) throw disputedFirst();
  if (await hasEarlierRefundRight(tx, deps, row, now)) throw earlierFirst(row);
  if (!(await claimRefundRights(tx, deps, row))) {
    throw returnedBefore(row, igUsername);
  }
  const started = await startRefundRequest(tx, deps, row, now);
  await auditSubscription(tx, row, { action: 'money_back_requested', actor, now });
  return started;
}

async function startRefundRequest(
  tx: Tx,
  deps: RefundRequestDeps & Pick<Deps, 'settings'>,
  row: SubscriptionRow,
  now: Date,
): Promise<RefundRequestRow> {
  const key = keyOf(row);
  await lockBalance(tx, row.workspace_id);
  const isFree = await claimFreeLikes(tx, deps, key);
  const { least, most, facts, given, takenCredits } = await readRefundFigures(
    tx,
    deps,
    key,
    isFree,
  );
  const { bonusCredits, orderCredits } = given;
  await takeGivenCredits(tx, deps, { ...key, bonusCredits, takenCredits, now });
  const request: RefundRequestRow = {
    workspace_id: row.workspace_id,
    subscription_id: row.id,
    state: 'Requested',
    ...amountColumns(least),
    most_cents: most.cents,
    charged_cents: facts.chargedCents,
    has_free_likes: isFree,
    order_credits: orderCredits,
    bonus_credits: bonusCredits,
    taken_credits: takenCredits,
    requested_at: now,
    approve_by: new Date(now.getTime() + APPROVE_WITHIN_MS),
    approved_at: null,
    paid_at: null,
  };
  await insertRefundRequest(tx, request);
  await requestCancel(tx, row.workspace_id, key, { reason: 'stopped', now });
  if (isUnended(row.state)) await endSubscription(tx, deps, row, { state: 'Canceled', now });
  await mailStep(tx, deps, request, request.approve_by, now);
  return request;
}

function amountColumns({ cents, likes, paidLikes, likesCents, creditsCents }: MoneyBackAmount) {
  return {
    amount_cents: cents,
    likes,
    paid_likes: paidLikes,
    likes_cents: likesCents,
    credits_cents: creditsCents,
  };
}

/** Approves what nobody has looked at in time. */
export async function approveDueRefundRequests(deps: RefundRequestDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const key of await listDueApprovals(deps.database.db, now)) {
    await approveRefundRequest(deps, key);
  }
}

/**
 * Settles the amount, with what the orders under way have not delivered, and sends it on its way. An order
 * that still has no end counts whole.
 * @returns false when that has happened before, or a payment of the workspace is disputed
 */
export function approveRefundRequest(
  deps: RefundRequestDeps,
  key: SubscriptionKey,
  actor?: string,
): Promise<boolean> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const row = await lockRefundRequest(tx, key);
    if (row?.state !== 'Requested' || (await hasOpenDispute(tx, key.workspaceId))) return false;
    const charges = await lockRefundable(tx, key);
    const used = { hasFreeLikes: row.has_free_likes, usedCredits: usedCreditsOf(row) };
    const use = await readPlanUse(tx, key);
    const { least } = moneyBack({ ...use, ...used });
    const amount = { ...amountColumns(least), most_cents: least.cents };
    const approved = { ...amount, charged_cents: use.chargedCents, approved_at: now };
    await changeRefundRequest(tx, key, { state: 'Approved', ...approved });
    const refund = { reason: 'money_back', cents: least.cents, now, dueAt: now } as const;
    await planRefunds(tx, deps, charges, refund);
    await mailStep(tx, deps, { ...row, ...amount, state: 'Approved' }, now, now);
    await auditSubscription(tx, asSubscription(key), { action: 'money_back_approved', actor, now });
    return true;
  });
}

/**
 * Computes a money back anew once a lost dispute of its payments was won by an appeal; what it lacks goes
 * back. Call it with what is known of the dispute written down.
 * @returns false when none was asked for
 */
export async function reviseRefundRequest(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  key: SubscriptionKey,
  now: Date,
): Promise<boolean> {
  const row = await lockRefundRequest(tx, key);
  if (!row) return false;
  const charges = await lockRefundable(tx, key);
  const plannedCents = await sumRequestedRefunds(tx, key);
  const use = await readPlanUse(tx, key);
  const chargedCents = use.chargedCents + plannedCents;
  const used = { hasFreeLikes: row.has_free_likes, usedCredits: usedCreditsOf(row) };
  const { least, most } = moneyBack({ ...use, chargedCents, ...used });
  if (row.state === 'Requested') {
    const amount = { ...amountColumns(least), most_cents: most.cents };
    await changeRefundRequest(tx, key, { ...amount, charged_cents: chargedCents });
    return true;
  }
  const cents = least.cents - plannedCents;
  if (cents <= 0) return true;
  const amount = { ...amountColumns(least), most_cents: least.cents };
  const state = { state: 'Approved', paid_at: null } as const;
  await changeRefundRequest(tx, key, { ...amount, ...state, charged_cents: chargedCents });
  await planRefunds(tx, deps, charges, { reason: 'money_back', cents, now, dueAt: now });
  return true;
}

/** Credits it brought that were spent or held when it was asked for. */
export function usedCreditsOf(row: RefundRequestRow): number {
  return row.order_credits + row.bonus_credits - row.taken_credits;
}

/** Those whose money has all gone back. */
export async function finishRefundRequests(deps: RefundRequestDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const key of await listFinished(deps.database.db)) {
    await deps.database.transaction(async (tx) => {
      const row = await lockRefundRequest(tx, key);
      if (row?.state !== 'Approved') return;
      await changeRefundRequest(tx, key, { state: 'Paid', paid_at: now });
      await mailStep(tx, deps, { ...row, state: 'Paid' }, now, now);
      await auditSubscription(tx, asSubscription(key), { action: 'refunded', now });
    });
  }
}

const asSubscription = ({ workspaceId, subscriptionId }: SubscriptionKey) => ({
  workspace_id: workspaceId,
  id: subscriptionId,
});

function mailStep(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: RefundRequestRow,
  at: Date,
  now: Date,
): Promise<void> {
  const mail = {
    kind: 'money_back',
    subscriptionId: row.subscription_id,
    step: row.state,
    amountCents: row.amount_cents,
    mostCents: row.most_cents,
    parts: {
      chargedCents: row.charged_cents,
      hasFreeLikes: row.has_free_likes,
      paidLikes: row.paid_likes,
      likesCents: row.likes_cents,
      takenCredits: row.taken_credits,
      usedCredits: usedCreditsOf(row),
      creditsCents: row.credits_cents,
    },
    at: at.toISOString(),
  } as const;
  return oweMail(tx, deps, row.workspace_id, mail, now);
}
