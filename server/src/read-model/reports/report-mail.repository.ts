import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type {
  ReportBrandTable,
  ReportMailTable,
  SentReportTable,
} from '#server/kit/db/tables/report.table.ts';

export type ReportMailRow = Selectable<ReportMailTable>;

export function findBrand(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Selectable<ReportBrandTable> | undefined> {
  return db
    .selectFrom('report_brand')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** Without a `logo` the one there is stays. */
export async function putBrand(
  tx: Tx,
  brand: { workspaceId: WorkspaceId; name: string; logo: Buffer | null | undefined; now: Date },
): Promise<void> {
  const { workspaceId, name, logo, now } = brand;
  const changes = { name, changed_at: now, ...(logo !== undefined && { logo }) };
  await tx
    .insertInto('report_brand')
    .values({ workspace_id: workspaceId, logo: null, ...changes })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changes))
    .execute();
}

export async function deleteBrand(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx.deleteFrom('report_brand').where('workspace_id', '=', workspaceId).execute();
}

interface ReportKey {
  workspaceId: WorkspaceId;
  id: string;
}

export function findReportMail(
  db: Db,
  { workspaceId, id }: ReportKey,
): Promise<ReportMailRow | undefined> {
  return db
    .selectFrom('report_mail')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Of one that is there only its readers change, so that no month is mailed again. */
export async function putReportMail(
  tx: Tx,
  mail: Pick<
    ReportMailRow,
    'workspace_id' | 'id' | 'client_id' | 'addresses' | 'user_ids' | 'month' | 'due_at'
  >,
): Promise<void> {
  const { addresses, user_ids } = mail;
  await tx
    .insertInto('report_mail')
    .values(mail)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'id']).doUpdateSet({ addresses, user_ids }),
    )
    .execute();
}

export async function deleteReportMail(tx: Tx, { workspaceId, id }: ReportKey): Promise<void> {
  await tx
    .deleteFrom('report_mail')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Whether any of a workspace's reports went to them; one that goes to nobody now isn't mailed any more. */
export async function removeReader(
  tx: Tx,
  workspaceId: WorkspaceId,
  { userId, address }: { userId?: string; address?: string },
): Promise<boolean> {
  const { rows } = await sql`
    with kept as (select id, array_remove(user_ids, ${userId ?? null}::uuid) as user_ids,
        array_remove(addresses, ${address ?? null}::text) as addresses
      from report_mail where workspace_id = ${workspaceId}
        and (${userId ?? null}::uuid = any(user_ids) or ${address ?? null}::text = any(addresses))
      for update),
    emptied as (delete from report_mail r using kept k
      where r.workspace_id = ${workspaceId} and r.id = k.id
        and cardinality(k.user_ids) + cardinality(k.addresses) = 0),
    others as (update report_mail r set user_ids = k.user_ids, addresses = k.addresses from kept k
      where r.workspace_id = ${workspaceId} and r.id = k.id
        and cardinality(k.user_ids) + cardinality(k.addresses) > 0)
    select id from kept`.execute(tx);
  return rows.length > 0;
}

export function claimReportMails(db: Db, lease: Lease): Promise<ReportMailRow[]> {
  return claimDue(
    db,
    { ...lease, table: 'report_mail', due: 'due_at', set: RAISE_FENCE },
    sql<ReportMailRow>`t.*`,
  );
}

/** Goes on to the next month, with its readers as they are now; undefined: somebody else did, or it is gone. */
export function advanceReportMail(
  tx: Tx,
  claim: ReportMailRow,
  next: { month: string; due_at: Date },
): Promise<ReportMailRow | undefined> {
  return tx
    .updateTable('report_mail')
    .set(next)
    .where('workspace_id', '=', claim.workspace_id)
    .where('id', '=', claim.id)
    .where('fence', '=', claim.fence)
    .returningAll()
    .executeTakeFirst();
}

/** Whether it wasn't mailed before. */
export async function insertSentReport(
  tx: Tx,
  sent: Selectable<SentReportTable>,
): Promise<boolean> {
  const result = await tx
    .insertInto('sent_report')
    .values(sent)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function findLastSent(
  db: Db,
  { workspaceId, id }: ReportKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sent_report')
    .select('month')
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', id)
    .orderBy('month', 'desc')
    .executeTakeFirst();
  return row?.month;
}

/** Mails are swept up by then; that the month was mailed stays known. */
export async function forgetSentPdfs(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('sent_report')
    .set({ pdf: null })
    .where('at', '<', before)
    .where('pdf', 'is not', null)
    .execute();
}
