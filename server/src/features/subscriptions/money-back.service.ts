import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { listRefundable, planRefunds } from '../billing/refund.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { requestCancel } from '../orders/like-order.repository.ts';
import { auditSubscription } from './audit-subscription.ts';
import { addToBalance, lockBalance, sumOfBalance } from './billing-balance.repository.ts';
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
import { moneyBackCents, type MoneyBackSources, stillThereCents } from './money-back-amount.ts';
import { sendMail } from './send-mail.ts';
import { DAY_MS, moneyBackUntil } from './subscription-clock.ts';
import { keyOf, type SubscriptionKey } from './subscription-work.repository.ts';
import type { MoneyBackRow } from './subscription-work.table.ts';
import { releaseUnpaid } from './unpaid-invoices.ts';

type MoneyBackDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const APPROVE_WITHIN_MS = 3 * DAY_MS;
/** Refunds wait for the approval; this is when they would go without one. */
const REFUND_AT_LATEST_MS = APPROVE_WITHIN_MS + DAY_MS;

/**
 * Ends a new subscription and returns all that was charged for it (D5). Asked again while
 * no other plan runs for the account, it answers how the first request stands.
 * @throws ApiError `not_found`, `money_back_over`
 */
export function requestMoneyBack(
  deps: MoneyBackDeps & Pick<Deps, 'settings'>,
  name: AccountName,
): Promise<MoneyBackRow> {
  const ended = (tx: Tx, accountId: string) =>
    findMoneyBackOfAccount(tx, name.workspaceId, accountId);
  const request = async (tx: Tx, row: SubscriptionRow, now: Date): Promise<MoneyBackRow> => {
    if (now > moneyBackUntil(row)) {
      throw moneyBackOver(
        'Money back is possible in the first 30 days of a new plan, which are over.',
      );
    }
    if (!(await claimMoneyBackAccounts(tx, deps, row))) {
      throw moneyBackOver(
        `The money for a plan of @${name.igUsername} was returned before; that is possible once per account.`,
      );
    }
    const started = await startMoneyBack(tx, deps, row, now);
    const { actor } = name;
    await auditSubscription(tx, row, { action: 'money_back_requested', actor, now });
    return started;
  };
  return withSubscription(deps, name, request, ended);
}

function moneyBackOver(reason: string): ApiError {
  return new ApiError('money_back_over', `${reason} You can stop the plan at any time.`);
}

async function startMoneyBack(
  tx: Tx,
  deps: MoneyBackDeps,
  row: SubscriptionRow,
  now: Date,
): Promise<MoneyBackRow> {
  const key = keyOf(row);
  await releaseUnpaid(tx, row, now);
  const charges = await listRefundable(tx, key);
  const chargedCents = charges.reduce((sum, { leftCents }) => sum + leftCents, 0);
  const balance = await takeBackBalance(tx, key, now);
  const amountCents = moneyBackCents({ chargedCents, ...balance });
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
  await endSubscription(tx, deps, row, { state: 'Canceled', now });
  await mailStep(tx, deps, request, request.approve_by, now);
  return request;
}

/**
 * Undoes what the subscription has moved in the billing balance, which other plans may have used: that
 * part has been given already.
 * @returns how it stood before
 */
async function takeBackBalance(
  tx: Tx,
  key: SubscriptionKey,
  now: Date,
): Promise<Omit<MoneyBackSources, 'chargedCents'>> {
  const balanceCents = await lockBalance(tx, key.workspaceId);
  const movedCents = await sumOfBalance(tx, key);
  const before = { movedCents, balanceCents };
  const entry = { ...key, key: `money_back:${key.subscriptionId}`, now };
  await addToBalance(tx, { ...entry, cents: -stillThereCents(before) });
  return before;
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
