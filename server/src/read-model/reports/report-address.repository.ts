import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { ReportAddressTable } from '#server/kit/db/tables/report.table.ts';

export function listReportAddresses(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Selectable<ReportAddressTable>[]> {
  return db
    .selectFrom('report_address')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** Whether it wasn't there before. */
export async function insertReportAddress(
  tx: Tx,
  row: Selectable<ReportAddressTable>,
): Promise<boolean> {
  const result = await tx
    .insertInto('report_address')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Forgets those that get no report any more. */
export async function deleteUnusedAddresses(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`
    delete from report_address a where a.workspace_id = ${workspaceId} and not exists (
      select from report_mail r where r.workspace_id = a.workspace_id and a.email = any(r.addresses))`.execute(
    tx,
  );
}
