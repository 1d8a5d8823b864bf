import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { monthInWords } from '#shared/domain/report-month.ts';
import { INVITATION_HOURS } from '#shared/domain/team.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret } from '#server/kit/sealed-secret.ts';
import { layOutMail, type MailContent } from './mail-layout.ts';
import { findRecipient } from './mail-facts.repository.ts';
import type { OwedMailRow } from './owed-mail.repository.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/** What the token of the link is sealed for by which an address asks for reports. */
export const REPORT_CONFIRMATION_SEAL = 'report-confirmation';

type ComposeDeps = Pick<Deps, 'database' | 'random' | 'settings'>;

interface SentReport {
  clientId: string | null;
  month: string;
  title: string;
  agency: string | null;
  fileName: string;
  pdf: Buffer;
}

/** A report as it was drawn when it was due. */
async function findSentReport(
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
async function findReportReader(
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
async function findOutsideReader(
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
async function findAskedAddress(
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

/** Of the workspace's own words it has none but the address of whoever asks. */
function reportConfirmationMail(by: string, url: string): MailContent {
  return {
    subject: `Monthly reports from ${PRODUCT_NAME}: do you want them?`,
    heading: 'Do you want monthly reports?',
    paragraphs: [
      `${by}, a customer of ${PRODUCT_NAME}, would like to send you a report each month. It is a PDF about likes of posts.`,
      `You get none unless you say yes. The link works within ${INVITATION_HOURS} hours.`,
      'Don’t know them? You can ignore this email.',
    ],
    action: { label: 'Get monthly reports', url },
    because: 'You’re getting this email because a customer entered your address.',
  };
}

/** The monthly mail; the figures are in its PDF. */
function clientReportMail({ month, title, agency }: SentReport, isOutside: boolean): MailContent {
  const by = agency ?? PRODUCT_NAME;
  return {
    subject: `${title}: report for ${monthInWords(month)}`,
    heading: `${title}, ${monthInWords(month)}`,
    paragraphs: [
      'The report for the month is attached as a PDF: likes of the posts, organic and delivered apart, and how soon they were delivered.',
    ],
    ...(isOutside && {
      because: `You’re getting this email because ${by} sends you this report each month, which you’ve confirmed.`,
    }),
  };
}

/** Goes to an address outside that hasn't said yet whether it wants reports. */
export async function composeConfirmation(
  { database: { db }, settings }: ComposeDeps,
  { workspace_id: workspaceId, id }: Pick<OwedMailRow, 'workspace_id' | 'id'>,
  { addressId, sealedToken }: Extract<MailPayload, { kind: 'report_confirmation' }>,
): Promise<Mail | undefined> {
  const asked = await findAskedAddress(db, workspaceId, addressId);
  const token = openSecret(settings.appSecret, REPORT_CONFIRMATION_SEAL, sealedToken);
  if (!asked || token === undefined) return undefined;
  const content = reportConfirmationMail(asked.by, `${settings.publicUrl}/get-reports#${token}`);
  return { id, to: asked.email, ...layOutMail(content, settings) };
}

/** Goes to an address outside, or to a member who still sees the client. */
export async function composeReport(
  deps: ComposeDeps,
  { workspace_id: workspaceId, id }: Pick<OwedMailRow, 'workspace_id' | 'id'>,
  payload: Extract<MailPayload, { kind: 'client_report' }>,
): Promise<Mail | undefined> {
  const { database, settings } = deps;
  const { db } = database;
  const report = await findSentReport(db, workspaceId, payload);
  if (!report) return undefined;
  const to =
    'address' in payload
      ? await findOutsideReader(db, workspaceId, payload.address)
      : await findReportReader(db, { workspaceId, userId: payload.userId }, report.clientId);
  if (!to) return undefined;
  const { kind } = payload;
  const reader = 'address' in payload ? { address: payload.address } : { userId: payload.userId };
  const content = {
    ...clientReportMail(report, 'address' in payload),
    unsubscribeUrl: unsubscribeUrl(deps, { kind, workspaceId, ...reader }),
  };
  const attachment = { fileName: report.fileName, type: 'application/pdf', content: report.pdf };
  return { id, to: to.email, ...layOutMail(content, settings), attachment };
}
