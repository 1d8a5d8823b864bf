/** The port to the mail server. */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>;
  close(): Promise<void>;
}

export interface Mail {
  /** Stable per mail, so that a repeated send carries the same Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: MailHeaders;
  attachment?: { fileName: string; type: string; content: Buffer };
}

/** What mails have beside what is read: how their reader stops them with one click (RFC 8058). */
export interface MailHeaders {
  'List-Unsubscribe': `<${string}>`;
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click';
}

export type MailOutcome =
  | { kind: 'sent' }
  /** Time-out, connection lost, 4xx: try again later. */
  | { kind: 'unavailable'; reason: string }
  /** The address or the mail is refused for good (5xx). */
  | { kind: 'refused'; reason: string };
