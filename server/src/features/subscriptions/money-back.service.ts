import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { listRefundable, planRefunds } from '../billing/refund.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { requestCancel } from '../orders/like-order.repository.ts';
import { auditSubscription } from './audit-subscription.ts';
import { endSubscription } from './end-subscription.ts';
import { type AccountName, withSubscription } from './exits.service.ts';
import {
  findMoneyBackOfAccount,
  insertMoneyBack,
  listDueApprovals,
  listFinished,
  lockMoneyBack,
  releaseRefunds,
  setMoneyBackState,
} from './money-back.repository.ts';
import { claimMoneyBackAccounts } from './money-back-account.repository.ts';
import { listMoneyBackAmounts } from './money-back-amount.ts';
import { sendMail } from './send-mail.ts';
import { DAY_MS, moneyBackUntil } from './subscription-clock.ts';
import { keyOf, lockNewest, type SubscriptionKey } from './subscription-work.repository.ts';
import type { MoneyBackRow } from './subscription-work.table.ts';

type MoneyBackDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const APPROVE_WITHIN_MS = 3 * DAY_MS;
/** Refunds wait for the approval; this is when they would go without one. */
const REFUND_AT_LATEST_MS = APPROVE_WITHIN_MS + DAY_MS;

/**
 * Ends a new subscription and returns all that was charged for it (D5); one that has ended in its first 30
 * days gets its money back within them too. Asked again while no other plan runs for the account, it
 * answers how the first request stands.
 * @throws ApiError `not_found`, `money_back_over`
 */
export function requestMoneyBack(
  deps: MoneyBackDeps & Pick<Deps, 'settings'>,
  name: AccountName,
): Promise<MoneyBackRow> {
  const ofEnded = async (tx: Tx, accountId: string): Promise<MoneyBackRow | undefined> => {
    const row = await lockNewest(tx, name.workspaceId, accountId);
    const known = await findMoneyBackOfAccount(tx, name.workspaceId, accountId);
    if (known || !row) return known;
    const now = new Date(deps.clock.now());
    return now > moneyBackUntil(row) ? undefined : request(tx, deps, { row, now, ...name });
  };
  return withSubscription(
    deps,
    name,
    async (tx, row, now) => {
      if (now <= moneyBackUntil(row)) return request(tx, deps, { row, now, ...name });
      throw moneyBackOver(
        'Money back is possible in the first 30 days of a new plan, which are over. You can stop the plan at any time.',
      );
    },
    ofEnded,
  );
}

async function request(
  tx: Tx,
  deps: MoneyBackDeps & Pick<Deps, 'settings'>,
  { row, now, igUsername, actor }: AccountName & { row: SubscriptionRow; now: Date },
): Promise<MoneyBackRow> {
  if (!(await claimMoneyBackAccounts(tx, deps, row))) {
    const stop = hasEnded(row) ? '' : ' You can stop the plan at any time.';
    throw moneyBackOver(
      `The money for a plan of @${igUsername} was returned before; that is possible once per account.${stop}`,
    );
  }
  const started = await startMoneyBack(tx, deps, row, now);
  await auditSubscription(tx, row, { action: 'money_back_requested', actor, now });
  return started;
}

function moneyBackOver(reason: string): ApiError {
  return new ApiError('money_back_over', reason);
}

function hasEnded({ state }: SubscriptionRow): boolean {
  return state === 'Canceled' || state === 'Expired';
}

async function startMoneyBack(
  tx: Tx,
  deps: MoneyBackDeps,
  row: SubscriptionRow,
  now: Date,
): Promise<MoneyBackRow> {
  const key = keyOf(row);
  const charges = await listRefundable(tx, key);
  const amounts = await listMoneyBackAmounts(tx, row.workspace_id, [row.id]);
  const amountCents = amounts.get(row.id) ?? 0;
  const dueAt = new Date(now.getTime() + REFUND_AT_LATEST_MS);
  await planRefunds(tx, deps, charges, { reason: 'money_back', cents: amountCents, now, dueAt });
  const request: MoneyBackRow = {
    workspace_id: row.workspace_id,
    subscription_id: row.id,
    state: 'Requested',
    amount_cents: amountCents,
    requested_at: now,
    approve_by: new Date(now.getTime() + APPROVE_WITHIN_MS),
    approved_at: null,
    paid_at: null,
  };
  await insertMoneyBack(tx, request);
  await requestCancel(tx, row.workspace_id, key, { reason: 'stopped', now });
  if (!hasEnded(row)) await endSubscription(tx, row, { state: 'Canceled', now });
  await mailStep(tx, deps, request, request.approve_by, now);
  return request;
}

/** Approves what nobody has looked at in time. */
export async function approveDueMoneyBacks(deps: MoneyBackDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const key of await listDueApprovals(deps.database.db, now)) {
    await approveMoneyBack(deps, key);
  }
}

/** Sends the refunds on their way. @returns false when that has happened before */
export function approveMoneyBack(
  deps: MoneyBackDeps,
  key: SubscriptionKey,
  actor?: string,
): Promise<boolean> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const row = await lockMoneyBack(tx, key);
    if (row?.state !== 'Requested') return false;
    await setMoneyBackState(tx, key, { state: 'Approved', approved_at: now });
    await releaseRefunds(tx, key, now);
    await mailStep(tx, deps, { ...row, state: 'Approved' }, now, now);
    await auditSubscription(tx, asSubscription(key), { action: 'money_back_approved', actor, now });
    return true;
  });
}

/** Those whose money has all gone back. */
export async function finishMoneyBacks(deps: MoneyBackDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const key of await listFinished(deps.database.db)) {
    await deps.database.transaction(async (tx) => {
      const row = await lockMoneyBack(tx, key);
      if (row?.state !== 'Approved') return;
      await setMoneyBackState(tx, key, { state: 'Paid', paid_at: now });
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
  row: MoneyBackRow,
  at: Date,
  now: Date,
): Promise<void> {
  const mail = {
    kind: 'money_back',
    subscriptionId: row.subscription_id,
    step: row.state,
    amountCents: row.amount_cents,
    at: at.toISOString(),
  } as const;
  return sendMail(tx, deps, row.workspace_id, mail, now);
}
