import { createTransport } from 'nodemailer';
import { isLoopback } from '#shared/domain/loopback.ts';
import { isMailbox } from './mailbox.ts';
import type { Mail, Mailer, MailOutcome } from './mailer.ts';

interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  smtpUrl: string;
  /** Sender, e.g. `Ovation <hello@ovation.example>`. */
  from: string;
  /** For one mail, from the connection to the server's last word. */
  timeoutMs?: number;
}

const CONNECTIONS_MAX = 5;

/** Mail over SMTP on a few kept connections. Never throws and never repeats by itself. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { smtpUrl, from, timeoutMs = 20_000 } = options;
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    requireTLS: needsTls(smtpUrl),
    maxConnections: CONNECTIONS_MAX,
    // Its own repeats would send a mail twice whose acceptance was lost.
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const inFlight = new Set<Promise<MailOutcome>>();
  const domain = /@([^\s<>"]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  const send = async (mail: Mail): Promise<MailOutcome> => {
    if (!isMailbox(mail.to)) return { kind: 'refused', reason: 'address' };
    try {
      await transport.sendMail({
        from,
        // As an object it is taken as it stands; as text it could name several recipients.
        to: { name: '', address: mail.to },
        subject: oneLine(mail.subject),
        text: mail.text,
        html: mail.html,
        attachments: mail.attachment ? [attachmentOf(mail.attachment)] : [],
        messageId: `<${mail.id.replaceAll(/[^\w.-]/g, '-')}@${domain}>`,
        // Keeps absence notices from answering (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { kind: 'sent' };
    } catch (error) {
      return toOutcome(error);
    }
  };

  return {
    send(mail) {
      const sending = send(mail);
      inFlight.add(sending);
      return sending.finally(() => inFlight.delete(sending));
    },
    async close() {
      transport.close();
      await Promise.all(inFlight);
    },
  };
}

const attachmentOf = ({ fileName, type, content }: NonNullable<Mail['attachment']>) => ({
  filename: fileName,
  contentType: type,
  content,
});

/**
 * Whether an `smtp:` server must offer STARTTLS: a code or an address is not sent readable, unless the
 * server is on this machine or the operator has written `?ignoreTLS=true`.
 */
export function needsTls(smtpUrl: string): boolean {
  const url = new URL(smtpUrl);
  const isPlain = isLoopback(url.hostname) || url.searchParams.get('ignoreTLS') === 'true';
  return url.protocol === 'smtp:' && !isPlain;
}

/** Line ends in a header would begin another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** What nodemailer says of a failed mail. */
interface SmtpError extends Error {
  code?: string;
  /** The step the server refused: `RCPT TO`, `DATA`, `AUTH PLAIN`, ... */
  command?: string;
  responseCode?: number;
}

/**
 * Only a 5xx to the recipient or to the mail itself is final. A 5xx to our greeting, sign-in or sender is
 * a matter for the operator, after which the same mail goes through.
 */
function toOutcome(error: unknown): MailOutcome {
  if (!(error instanceof Error)) return { kind: 'unavailable', reason: 'error' };
  const { code, command, responseCode = 0 }: SmtpError = error;
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  if (isAboutMail && responseCode >= 500)
    return { kind: 'refused', reason: `smtp_${responseCode}` };
  return {
    kind: 'unavailable',
    reason: responseCode ? `smtp_${responseCode}` : (code ?? error.name),
  };
}
