import { isMailbox } from './mailbox.ts';
import type { Mail, Mailer, MailOutcome } from './mailer.ts';

/** A mail server in memory. */
export interface FakeMailer extends Mailer {
  /** Mails it took, oldest first; a mail sent twice is here twice. */
  readonly sent: readonly Mail[];
  /** Every send, also those that failed. */
  readonly calls: readonly Mail[];
  /** The next sends get these, one each. A mail counts as sent only when its outcome says so. */
  queue(...outcomes: MailOutcome[]): void;
  /** Mails to one address, oldest first. */
  sentTo(address: string): Mail[];
}

export function createFakeMailer(): FakeMailer {
  const sent: Mail[] = [];
  const calls: Mail[] = [];
  const outcomes: MailOutcome[] = [];
  return {
    sent,
    calls,
    queue: (...queued) => void outcomes.push(...queued),
    sentTo: (address) => sent.filter((mail) => mail.to === address),
    send(mail) {
      calls.push(mail);
      const outcome = outcomes.shift() ?? answer(mail);
      if (outcome.kind === 'sent') sent.push(mail);
      return Promise.resolve(outcome);
    },
    close: () => Promise.resolve(),
  };
}

function answer(mail: Mail): MailOutcome {
  return isMailbox(mail.to) ? { kind: 'sent' } : { kind: 'refused', reason: 'address' };
}
