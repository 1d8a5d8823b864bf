import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { findRecipient } from './mail-facts.repository.ts';

export interface SentReport {
  clientId: string | null;
  month: string;
  title: string;
  agency: string | null;
  fileName: string;
  pdf: Buffer;
}

/** A report as it was drawn when it was due. */
export async function findSentReport(
  db: Db,
  workspaceId: WorkspaceId,
  { reportId, month }: { reportId: string; month: string },
): Promise<SentReport | undefined> {
  const row = await db
    .selectFrom('sent_report')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', reportId)
    .where('month', '=', month)
    .executeTakeFirst();
  if (!row?.pdf) return undefined;
  const { client_id: clientId, title, agency, file_name: fileName } = row;
  return { clientId, month, title, agency, fileName, pdf: Buffer.from(row.pdf) };
}

/** A member's address, while they see the client; null: all accounts. */
export async function findReportReader(
  db: Db,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
  clientId: string | null,
): Promise<{ email: string } | undefined> {
  const { rows } = await sql`
    select from membership m where m.workspace_id = ${workspaceId} and m.user_id = ${userId}
      and (m.all_clients or exists (select from client_grant g where g.workspace_id = m.workspace_id
        and g.user_id = m.user_id and g.client_id = ${clientId}::uuid))`.execute(db);
  return rows.length === 0 ? undefined : findRecipient(db, workspaceId, userId);
}

/** An address outside, as long as reports go to it, which it has asked for. */
export async function findOutsideReader(
  db: Db,
  workspaceId: WorkspaceId,
  address: string,
): Promise<{ email: string } | undefined> {
  return db
    .selectFrom('report_address')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', address)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Whom to ask whether they want reports, and who wants to send them; as long as they haven't answered. */
export async function findAskedAddress(
  db: Db,
  workspaceId: WorkspaceId,
  addressId: string,
): Promise<{ email: string; by: string } | undefined> {
  const row = await db
    .selectFrom('report_address')
    .select(['email', 'added_by'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', addressId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  const by = row && (await findRecipient(db, workspaceId, row.added_by));
  return by && { email: row.email, by: by.email };
}
