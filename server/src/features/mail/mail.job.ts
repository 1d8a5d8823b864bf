import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { createLoop, type Round } from '../../jobs/loop.ts';
import { composeMail } from './compose-mail.ts';
import { claimMails, type OutboxRow, settleMail } from './outbox.repository.ts';

const BATCH = 20;
const LEASE_MS = 60_000;
const IDLE_MS = 1000;
const RETRY_FIRST_MS = 5000;
const RETRY_MOST_MS = 15 * 60_000;
/** With the backoff above: about two days of trying. */
const MOST_ATTEMPTS = 200;

type MailDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'mailer' | 'settings'>;

/**
 * Sends the mails that committed transactions owe.
 *
 *   due ──claim──> leased ──sent or refused──> settled
 *     ^─────────────┘ mail server down: later, backing off; lease over: at once
 *
 * A process killed between sending and settling sends again under the same Message-ID: a mail may
 * come twice, but is never lost.
 */
export function createMailJob(deps: MailDeps): Job {
  return createLoop({
    name: 'mail',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: () => sendDueMails(deps),
  });
}

export async function sendDueMails(deps: MailDeps): Promise<Round> {
  const now = deps.clock.now();
  const rows = await claimMails(deps.database.db, {
    now: new Date(now),
    leaseUntil: new Date(now + LEASE_MS),
    most: BATCH,
  });
  for (const row of rows) await sendMail(deps, row);
  return rows.length === BATCH ? 'again' : 'idle';
}

async function sendMail(deps: MailDeps, row: OutboxRow): Promise<void> {
  const outcome = await composeMail(deps, row).then((mail) =>
    mail ? deps.mailer.send(mail) : undefined,
  );
  const now = deps.clock.now();
  switch (outcome?.kind) {
    case 'unavailable': {
      deps.log.warn('mail server unavailable', { reason: outcome.reason, count: row.attempts });
      const retryAt = new Date(now + retryDelayMs(row.attempts));
      const isLast = row.attempts >= MOST_ATTEMPTS;
      await settleMail(deps.database.db, row, {
        sentAt: null,
        nextAttemptAt: isLast ? null : retryAt,
      });
      return;
    }
    case 'refused':
      deps.log.warn('mail refused', { reason: outcome.reason, workspaceId: row.workspace_id });
      await settleMail(deps.database.db, row, { sentAt: null, nextAttemptAt: null });
      return;
    case 'sent':
      await settleMail(deps.database.db, row, { sentAt: new Date(now), nextAttemptAt: null });
      return;
    case undefined:
      // The person is gone: nobody is left to write to.
      await settleMail(deps.database.db, row, { sentAt: null, nextAttemptAt: null });
  }
}

function retryDelayMs(attempts: number): number {
  return Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** Math.min(attempts - 1, 20));
}
