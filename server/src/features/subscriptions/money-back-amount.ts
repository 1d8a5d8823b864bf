import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** What money back would give for each of these subscriptions of a workspace, in cents. */
export async function listMoneyBackAmounts(
  db: Db,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (subscriptionIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; cents: number }>`
    select i.subscription_id as id, sum(c.amount_cents - coalesce((select sum(r.amount_cents)
      from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0))::int as cents
    from invoice i join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
    where i.workspace_id = ${workspaceId} and i.subscription_id = any(${subscriptionIds}::uuid[])
      and c.state = 'succeeded'
    group by 1`.execute(db);
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}
