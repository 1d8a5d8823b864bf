import type { Alert } from '#shared/domain/accounts/alert.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findHearer, readDigest } from './alerts.repository.ts';
import type { MailContent } from './mail-layout.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/** More are told as a number: the list has them all. */
const TOLD_LIMIT = 20;

/** What is told is what they may see now, and want to. */
export async function composeDigest(
  deps: Pick<Deps, 'database' | 'random' | 'settings'>,
  workspaceId: WorkspaceId,
  { kind, userId, ...span }: Extract<MailPayload, { kind: 'alert_digest' }>,
): Promise<MailContent | undefined> {
  const { db } = deps.database;
  const hearer = await findHearer(db, { workspaceId, userId });
  if (hearer?.mailHour === undefined) return undefined;
  const told = await readDigest(db, workspaceId, hearer, span);
  const content = alertDigestMail(told, deps.settings.publicUrl);
  const url = unsubscribeUrl(deps, { kind, workspaceId, userId });
  return content && { ...content, unsubscribeUrl: url };
}

/** The alerts of a day; undefined when there are none any more. */
export function alertDigestMail(
  { fresh, lasting }: { fresh: readonly Alert[]; lasting: readonly Alert[] },
  publicUrl: string,
): MailContent | undefined {
  const [first, ...others] = fresh;
  if (!first) return undefined;
  const told = fresh.slice(0, TOLD_LIMIT).map(inWords);
  const more = fresh.length - told.length;
  return {
    subject: others.length === 0 ? first.title : `${first.title}, and ${othersInWords(others)}`,
    heading: fresh.length === 1 ? 'One new alert' : `${fresh.length} new alerts`,
    paragraphs: [
      ...told,
      ...(more > 0 ? [`And ${more} more.`] : []),
      ...(lasting.length > 0 ? [`Still open from before: ${lastingInWords(lasting)}.`] : []),
      `You get this email at most once a day, at the hour you chose. Change that, mute alerts, or turn it off in your account settings, under Notifications: ${publicUrl}/my-settings#notifications`,
    ],
    action: { label: 'See your alerts', url: `${publicUrl}/my-alerts` },
  };
}

const inWords = ({ title, sentence, igUsername, client }: Alert): string =>
  `${title}${client && igUsername !== null ? ` (${client.name})` : ''}. ${sentence}`;

const othersInWords = ({ length }: readonly Alert[]): string =>
  length === 1 ? '1 more alert' : `${length} more alerts`;

function lastingInWords(lasting: readonly Alert[]): string {
  const titles = lasting.slice(0, 3).map(({ title }) => title);
  const more = lasting.length - titles.length;
  return [...titles, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
