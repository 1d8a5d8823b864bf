import { sql } from 'kysely';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { REVERSING_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Share } from './allowance-share.ts';

/** Whether a workspace pays: a plan runs, or a payment has stayed (D6). */
async function isPaying(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await sql<{ isPaying: boolean }>`
    select exists (select from subscription
        where workspace_id = ${workspaceId} and state in (${sql.join(UNENDED_STATES)}))
      or exists (select from charge c
        where c.workspace_id = ${workspaceId} and c.state = 'succeeded' and not c.is_returned
          and not exists (select from refund r where r.workspace_id = c.workspace_id
            and r.charge_id = c.id and r.reason = 'money_back')
          and not exists (select from dispute d where d.workspace_id = c.workspace_id
            and d.charge_id = c.id and d.state in (${sql.join(REVERSING_STATES)}))) as "isPaying"
  `.execute(db);
  return rows[0]?.isPaying ?? false;
}

/** Which part of the network's allowance readings for a workspace take. */
export async function findShare(db: Db, workspaceId: WorkspaceId): Promise<Share> {
  return (await isPaying(db, workspaceId)) ? 'paying' : 'unpaid';
}
