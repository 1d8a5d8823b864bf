import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';
import type { MoneyBackRow, MoneyBackState, MoneyBackTable } from './subscription-work.table.ts';

/** The newest money-back of an account. */
export function findMoneyBackOfAccount(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<MoneyBackRow | undefined> {
  return db
    .selectFrom('money_back')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'money_back.workspace_id')
        .onRef('subscription.id', '=', 'money_back.subscription_id'),
    )
    .selectAll('money_back')
    .where('money_back.workspace_id', '=', workspaceId)
    .where('subscription.account_id', '=', accountId)
    .orderBy('money_back.requested_at', 'desc')
    .orderBy('money_back.subscription_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All money-backs of a workspace with the names of their accounts, newest first. */
export function listMoneyBacks(
  db: Db,
  workspaceId: string,
): Promise<Array<MoneyBackRow & { ig_username: string }>> {
  return db
    .selectFrom('money_back')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'money_back.workspace_id')
        .onRef('subscription.id', '=', 'money_back.subscription_id'),
    )
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'subscription.workspace_id')
        .onRef('account.id', '=', 'subscription.account_id'),
    )
    .selectAll('money_back')
    .select('account.ig_username')
    .where('money_back.workspace_id', '=', workspaceId)
    .orderBy('money_back.requested_at', 'desc')
    .orderBy('money_back.subscription_id', 'desc')
    .execute();
}

/** How those that were asked for stand, by subscription. */
export async function listMoneyBackStates(
  db: Db,
  workspaceId: string,
): Promise<Map<string, MoneyBackState>> {
  const rows = await db
    .selectFrom('money_back')
    .select(['subscription_id as id', 'state'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export async function insertMoneyBack(tx: Tx, row: MoneyBackRow): Promise<void> {
  await tx.insertInto('money_back').values(row).execute();
}

export function lockMoneyBack(tx: Tx, key: SubscriptionKey): Promise<MoneyBackRow | undefined> {
  return tx
    .selectFrom('money_back')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('subscription_id', '=', key.subscriptionId)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeMoneyBack(
  tx: Tx,
  key: SubscriptionKey,
  change: Updateable<MoneyBackTable>,
): Promise<void> {
  await tx
    .updateTable('money_back')
    .set(change)
    .where('workspace_id', '=', key.workspaceId)
    .where('subscription_id', '=', key.subscriptionId)
    .execute();
}

/** Requests whose day of approval has come; while a payment is disputed none goes back. */
export function listDueApprovals(db: Db, now: Date): Promise<SubscriptionKey[]> {
  return db
    .selectFrom('money_back')
    .select(['workspace_id as workspaceId', 'subscription_id as subscriptionId'])
    .where('state', '=', 'Requested')
    .where('approve_by', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.workspace_id', '=', 'money_back.workspace_id')
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
    from money_back m where m.state = 'Approved' and not exists (
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
export async function sumMoneyBackRefunds(
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
