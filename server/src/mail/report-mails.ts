import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { monthInWords } from '#shared/domain/report-month.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { MailContent } from './mail-layout.ts';
import { findRecipient } from './mail-facts.repository.ts';

interface SentReport {
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

/** An address outside, as long as reports go to it. */
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
    .executeTakeFirst();
}

/** The monthly mail; the figures are in its PDF. */
export function clientReportMail(
  { month, title, agency }: SentReport,
  isOutside: boolean,
): MailContent {
  const by = agency ?? PRODUCT_NAME;
  return {
    subject: `${title}: report for ${monthInWords(month)}`,
    heading: `${title}, ${monthInWords(month)}`,
    paragraphs: [
      'The report for the month is attached as a PDF: likes of the posts, organic and delivered apart, and how soon they were delivered.',
    ],
    ...(isOutside && {
      because: `You’re getting this email because ${by} chose to send you this report each month. To stop it, ask them to remove your address.`,
    }),
  };
}
