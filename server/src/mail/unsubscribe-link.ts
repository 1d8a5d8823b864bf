import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { MailHeaders } from '#server/adapters/mail/mailer.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret, sealSecret } from '#server/kit/sealed-secret.ts';

/** A kind of repeated mail and its recipient. The link stops that kind for that recipient, and does nothing else. */
export type Subscribed = { workspaceId: WorkspaceId } & (
  | { kind: 'alert_digest' | 'client_report'; userId: string }
  | { kind: 'client_report'; address: string }
);

const SEAL = 'unsubscribe';
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** A page for people, and the address to which mail programs send their one click; it works as long as mails come. */
export function unsubscribeUrl(
  { settings, random }: Pick<Deps, 'random' | 'settings'>,
  subscribed: Subscribed,
): string {
  const keys = { appSecret: settings.appSecret, random };
  const token = sealSecret(keys, SEAL, JSON.stringify(subscribed));
  return `${settings.publicUrl}${UNSUBSCRIBE_PATH}?token=${token}`;
}

/** undefined for what isn’t a link of ours. */
export function openUnsubscribe(appSecret: string, token: string): Subscribed | undefined {
  const text = openSecret(appSecret, SEAL, token);
  return text === undefined ? undefined : (JSON.parse(text) as Subscribed);
}

/** What has mail programs offer it (RFC 8058). */
export const unsubscribeHeaders = (url: string): MailHeaders => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
