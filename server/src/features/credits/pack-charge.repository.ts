import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { OPEN_STATES } from '../billing/charge.repository.ts';

/** Whether a payment for credits is still being decided. */
export async function hasOpenPackCharge(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .select('charge.id')
    .where('charge.workspace_id', '=', workspaceId)
    .where('charge.state', 'in', OPEN_STATES)
    .where(sql<string>`invoice.checkout ->> 'kind'`, '=', 'credits')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
