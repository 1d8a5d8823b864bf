import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { monthInWords } from '#shared/domain/accounts/report-month.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret } from '#server/kit/sealed-secret.ts';
import { ENTERED_BY_CUSTOMER, layOutMail, type MailContent } from './mail-layout.ts';
import {
  findAskedAddress,
  findOutsideReader,
  findReportReader,
  findSentReport,
  type SentReport,
} from './report-mail-facts.repository.ts';
import type { OwedMailRow } from './owed-mail.repository.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/** What the token of the link is sealed for by which an address asks for reports. */
export const REPORT_CONFIRMATION_SEAL = 'report-confirmation';

type ComposeDeps = Pick<Deps, 'database' | 'random' | 'settings'>;

/** Of the workspace's own words it has none but the address of whoever asks. */
function reportConfirmationMail(by: string, url: string): MailContent {
  return {
    subject: `Monthly reports from ${PRODUCT_NAME}: do you want them?`,
    heading: 'Do you want monthly reports?',
    paragraphs: [
      `${by}, a customer of ${PRODUCT_NAME}, would like to send you a report each month. It is a PDF about likes of posts.`,
      `You get none unless you say yes. The link works for ${INVITATION_HOURS} hours.`,
      'Don’t know them? You can ignore this email.',
    ],
    action: { label: 'Get monthly reports', url },
    because: ENTERED_BY_CUSTOMER,
  };
}

/** The monthly mail; the figures are in its PDF. */
function clientReportMail({ month, title, agency }: SentReport, isOutside: boolean): MailContent {
  const by = agency ?? PRODUCT_NAME;
  return {
    subject: `${title}: report for ${monthInWords(month)}`,
    heading: `${title}, ${monthInWords(month)}`,
    paragraphs: [
      'The report for the month is attached as a PDF: likes on the posts, organic and delivered shown separately, and how quickly they were delivered.',
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
