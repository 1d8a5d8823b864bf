import { sql, type Updateable } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';
import type {
  RefundRequestRow,
  MoneyBackState,
  RefundRequestTable,
} from '#server/kit/db/tables/subscription-work.table.ts';

/** The newest money-back of an account. */
export function findRefundRequest(
  db: Db,
  workspaceId: WorkspaceId,
  accountId: AccountId,
): Promise<RefundRequestRow | undefined> {
  return db
    .selectFrom('refund_request')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'refund_request.workspace_id')
        .onRef('subscription.id', '=', 'refund_request.subscription_id'),
    )
    .selectAll('refund_request')
    .where('refund_request.workspace_id', '=', workspaceId)
    .where('subscription.account_id', '=', accountId)
    .orderBy('refund_request.requested_at', 'desc')
    .orderBy('refund_request.subscription_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All money-backs of a workspace with the names of their accounts, newest first. */
export function listRefundRequests(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Array<RefundRequestRow & { ig_username: string }>> {
  return db
    .selectFrom('refund_request')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'refund_request.workspace_id')
        .onRef('subscription.id', '=', 'refund_request.subscription_id'),
    )
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'subscription.workspace_id')
        .onRef('account.id', '=', 'subscription.account_id'),
    )
    .selectAll('refund_request')
    .select('account.ig_username')
    .where('refund_request.workspace_id', '=', workspaceId)
    .orderBy('refund_request.requested_at', 'desc')
    .orderBy('refund_request.subscription_id', 'desc')
    .execute();
}

/** How those that were asked for stand, by subscription. */
export async function listRefundRequestStates(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Map<string, MoneyBackState>> {
  const rows = await db
    .selectFrom('refund_request')
    .select(['subscription_id as id', 'state'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export async function insertRefundRequest(tx: Tx, row: RefundRequestRow): Promise<void> {
  await tx.insertInto('refund_request').values(row).execute();
}

export function lockRefundRequest(
  tx: Tx,
  key: SubscriptionKey,
): Promise<RefundRequestRow | undefined> {
  return tx
    .selectFrom('refund_request')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('subscription_id', '=', key.subscriptionId)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeRefundRequest(
  tx: Tx,
  key: SubscriptionKey,
  change: Updateable<RefundRequestTable>,
): Promise<void> {
  await tx
    .updateTable('refund_request')
    .set(change)
    .where('workspace_id', '=', key.workspaceId)
    .where('subscription_id', '=', key.subscriptionId)
    .execute();
}

/** Requests whose day of approval has come; while a payment is disputed none goes back. */
export function listDueApprovals(db: Db, now: Date): Promise<SubscriptionKey[]> {
  return db
    .selectFrom('refund_request')
    .select(['workspace_id as workspaceId', 'subscription_id as subscriptionId'])
    .where('state', '=', 'Requested')
    .where('approve_by', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.workspace_id', '=', 'refund_request.workspace_id')
            .where('dispute.state', '=', 'open'),
        ),
      ),
    )
    .limit(100)
    .execute();
}

/** Approved ones with nothing left to return; what was rejected waits for an operator. */
export async function listFinished(db: Db): Promise<SubscriptionKey[]> {
  const { rows } = await sql<SubscriptionKey>`
    select m.workspace_id as "workspaceId", m.subscription_id as "subscriptionId"
    from refund_request m where m.state = 'Approved' and not exists (
      select from refund r
      join charge c on c.workspace_id = r.workspace_id and c.id = r.charge_id
      join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
      where r.workspace_id = m.workspace_id and i.subscription_id = m.subscription_id
        and r.reason = 'money_back' and r.refunded_at is null)
    limit 100
  `.execute(db);
  return rows;
}

/** What of a subscription's money back is on its way, has gone, or was rejected. */
export async function sumRequestedRefunds(
  tx: Tx,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(r.amount_cents), 0)::int as cents from refund r
    join charge c on c.workspace_id = r.workspace_id and c.id = r.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where r.workspace_id = ${workspaceId} and i.subscription_id = ${subscriptionId}
      and r.reason = 'money_back'`.execute(tx);
  return rows[0]?.cents ?? 0;
}
