import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';

export interface PaidPack {
  workspaceId: WorkspaceId;
  chargeId: string;
  amountCents: number;
  credits: number;
}

/** A payment for credits of which nothing has gone back or is disputed, held until the end of the transaction. */
export async function lockPaidPack(tx: Tx, chargeId: string): Promise<PaidPack | undefined> {
  const { rows } = await sql<PaidPack>`
    select c.workspace_id as "workspaceId", c.id as "chargeId", c.amount_cents as "amountCents",
      (i.checkout ->> 'credits')::int as credits
    from charge c join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where c.id = ${chargeId} and c.state = 'succeeded' and i.checkout ->> 'kind' = 'credits'
    for update of c`.execute(tx);
  const [pack] = rows;
  if (!pack) return undefined;
  // A statement of its own: behind the lock it sees what a duplicate has written.
  const refund = await tx
    .selectFrom('refund')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .limit(1)
    .executeTakeFirst();
  if (refund) return undefined;
  const dispute = await tx
    .selectFrom('dispute')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .where('state', 'in', ['open', 'lost'])
    .limit(1)
    .executeTakeFirst();
  return dispute ? undefined : pack;
}
