import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { ReportAddressTable } from '#server/kit/db/tables/report.table.ts';

export type ReportAddressRow = Selectable<ReportAddressTable>;

export function listReportAddresses(db: Db, workspaceId: WorkspaceId): Promise<ReportAddressRow[]> {
  return db
    .selectFrom('report_address')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** Whether it wasn't there before. */
export async function insertReportAddress(
  tx: Tx,
  row: Pick<ReportAddressRow, 'workspace_id' | 'email' | 'id' | 'added_by' | 'added_at'>,
): Promise<boolean> {
  const result = await tx
    .insertInto('report_address')
    .values({ ...row, token_hash: null, expires_at: null, confirmed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The link that was mailed last is the one that works. */
export async function setAddressLink(
  tx: Tx,
  { workspace_id, id }: Pick<ReportAddressRow, 'workspace_id' | 'id'>,
  link: { token_hash: Buffer; expires_at: Date },
): Promise<void> {
  await tx
    .updateTable('report_address')
    .set(link)
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute();
}

/** Whose link is open; held until the transaction ends. */
export function lockAskedAddress(
  tx: Tx,
  token_hash: Buffer,
  now: Date,
): Promise<ReportAddressRow | undefined> {
  return tx
    .selectFrom('report_address')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
}

export async function confirmAddress(
  tx: Tx,
  { workspace_id, id }: Pick<ReportAddressRow, 'workspace_id' | 'id'>,
  confirmed_at: Date,
): Promise<void> {
  await tx
    .updateTable('report_address')
    .set({ confirmed_at })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute();
}

/** Forgets those that get no report any more. */
export async function deleteUnusedAddresses(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`
    delete from report_address a where a.workspace_id = ${workspaceId} and not exists (
      select from report_mail r where r.workspace_id = a.workspace_id and a.email = any(r.addresses))`.execute(
    tx,
  );
}
