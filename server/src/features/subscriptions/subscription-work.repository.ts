import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { OPEN_STATES } from '../billing/charge.repository.ts';
import { type SubscriptionRow, UNENDED_STATES } from '../billing/subscription.repository.ts';
import type { SubscriptionTable } from '../billing/subscription.table.ts';
import { nextActionAt } from './subscription-clock.ts';

export interface SubscriptionKey {
  workspaceId: string;
  subscriptionId: string;
}

/** The right to bring a subscription on; an older fence has been overtaken. */
export interface SubscriptionClaim extends SubscriptionKey {
  fence: number;
}

/** Takes up to `most` subscriptions with something to do, those waiting longest first. */
export async function claimDueSubscriptions(
  db: Db,
  claim: { now: Date; leaseUntil: Date; most: number },
): Promise<SubscriptionClaim[]> {
  const { rows } = await sql<SubscriptionClaim>`
    with due as (
      select workspace_id, id from subscription
      where next_action_at <= ${claim.now}
      order by next_action_at
      limit ${claim.most}
      for no key update skip locked
    )
    update subscription s set fence = s.fence + 1, next_action_at = ${claim.leaseUntil}
    from due where s.workspace_id = due.workspace_id and s.id = due.id
    returning s.workspace_id as "workspaceId", s.id as "subscriptionId", s.fence
  `.execute(db);
  return rows;
}

/**
 * A subscription, held until the end of the transaction: whoever renews, changes or ends it does this
 * first. Not a full lock, so that detection can go on making orders that point to it.
 */
export function lockSubscription(
  tx: Tx,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.subscriptionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The subscriptions of an account, held until the end of the transaction. */
const lockOfAccount = (tx: Tx, workspaceId: string, accountId: string) =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate();

/** The running subscription of an account, held until the end of the transaction. */
export function lockUnended(
  tx: Tx,
  workspaceId: string,
  accountId: string,
): Promise<SubscriptionRow | undefined> {
  return lockOfAccount(tx, workspaceId, accountId)
    .where('state', 'in', UNENDED_STATES)
    .executeTakeFirst();
}

/** The newest subscription of an account, ended or not, held until the end of the transaction. */
export function lockNewest(
  tx: Tx,
  workspaceId: string,
  accountId: string,
): Promise<SubscriptionRow | undefined> {
  return lockOfAccount(tx, workspaceId, accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type SubscriptionChange = Omit<
  Updateable<SubscriptionTable>,
  'workspace_id' | 'id' | 'fence' | 'next_action_at'
>;

/**
 * Changes a locked subscription and schedules what is next for it (`actAt` instead, where given).
 * @returns the subscription as it is now
 */
export async function changeSubscription(
  tx: Tx,
  row: SubscriptionRow,
  change: SubscriptionChange,
  actAt?: Date,
): Promise<SubscriptionRow> {
  const changed = { ...row, ...(change as Partial<SubscriptionRow>) };
  const next = actAt ?? nextActionAt(changed);
  await tx
    .updateTable('subscription')
    .set({ ...change, next_action_at: next })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  return { ...changed, next_action_at: next };
}

/** Whether a payment for this subscription is still being decided. */
export async function isBeingCharged(db: Db, key: SubscriptionKey): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .innerJoin('charge', (join) =>
      join
        .onRef('charge.workspace_id', '=', 'invoice.workspace_id')
        .onRef('charge.invoice_id', '=', 'invoice.id'),
    )
    .select('charge.id')
    .where('invoice.workspace_id', '=', key.workspaceId)
    .where('invoice.subscription_id', '=', key.subscriptionId)
    .where('charge.state', 'in', OPEN_STATES)
    .executeTakeFirst();
  return row !== undefined;
}

export const keyOf = (row: Pick<SubscriptionRow, 'workspace_id' | 'id'>): SubscriptionKey => ({
  workspaceId: row.workspace_id,
  subscriptionId: row.id,
});
