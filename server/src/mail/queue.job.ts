import { type PgBoss, fromKysely } from 'pg-boss';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import {
  createJobQueue,
  scheduleTick,
  stopJobQueue,
  takeWork,
  type Tick,
  type JobOutcome,
  type QueuedJob,
  type QueueWork,
} from '#server/kit/jobs/job-queue.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { composeMail } from './compose-mail.ts';
import {
  deleteMail,
  findMail,
  isAnyUnforwarded,
  markSent,
  type OwedMailRow,
  takeUnforwarded,
} from './owed-mail.repository.ts';

const FORWARD_EVERY_MS = 1000;

type QueueDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'mailer' | 'random' | 'settings'>;

/**
 * Mails and ticks, through the job queue.
 *
 *   owed_mail row (business transaction) ──forward──> job of the same id ──notify──> worker
 *
 * One loop starts the queue, forwards while it runs and starts it again, backing off, when it can't be
 * started. A mail is forwarded within a second of its commit and taken within some 10 ms of that
 * (measured on both engines; a worker without notify polls: 0 to 2 s).
 */
export function createQueueJob(deps: QueueDeps, ticks: readonly Tick[]): Job {
  let boss: PgBoss | undefined;
  const loop = createLoop(deps, {
    name: 'queue',
    idleMs: FORWARD_EVERY_MS,
    round: async () => {
      boss ??= await startQueue(deps, ticks);
      return forwardMails(deps, boss);
    },
  });
  return {
    name: 'queue',
    wake: () => loop.wake(),
    async run(signal) {
      await loop.run(signal);
      if (!boss) return;
      await stopJobQueue(boss).catch((error: unknown) =>
        deps.log.error('job queue did not stop', { error }),
      );
      boss = undefined;
    },
  };
}

async function startQueue(deps: QueueDeps, ticks: readonly Tick[]): Promise<PgBoss> {
  const boss = createJobQueue(deps);
  try {
    await boss.start();
    await takeWork(boss, deps.log, mailWork(deps));
    for (const tick of ticks) await scheduleTick(boss, deps.log, tick);
    return boss;
  } catch (error) {
    await stopJobQueue(boss).catch(() => undefined);
    throw error;
  }
}

const QUEUE = 'mail';
const FORWARD_LIMIT = 200;
const BATCH = 20;
/** Seconds from 5 doubling to 15 minutes: about two days of trying. */
const RETRIES = { retryLimit: 200, retryDelay: 5, retryDelayMax: 900, retryBackoff: true };
/** A recovery code never waits for thousands of reports. */
const BEHIND_ALL = -1;
const KEEP_DONE_SECONDS = 86_400;

/** Where the mail stands: its row. What it says is never in the queue. */
interface MailJob {
  workspaceId: WorkspaceId;
}

type MailDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'mailer' | 'random' | 'settings'>;

/**
 * Hands mails owed to the queue, under their own ids: one transaction takes the rows and makes the jobs,
 * so that a mail is in exactly one of both places, whatever ends the process.
 */
export async function forwardMails(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  boss: PgBoss,
): Promise<Round> {
  const now = new Date(clock.now());
  if (!(await isAnyUnforwarded(database.db, now))) return 'idle';
  const count = await database.transaction(async (tx) => {
    const rows = await takeUnforwarded(tx, { now, limit: FORWARD_LIMIT });
    if (rows.length === 0) return 0;
    const jobs = rows.map(({ id, workspace_id: workspaceId, isReport }) => ({
      id,
      data: { workspaceId },
      priority: isReport ? BEHIND_ALL : 0,
    }));
    await boss.insert(QUEUE, jobs, { db: fromKysely(tx) });
    return rows.length;
  });
  return count === FORWARD_LIMIT ? 'again' : 'idle';
}

/** Mails as work of the queue. */
export function mailWork(deps: MailDeps): QueueWork<MailJob> {
  return {
    name: QUEUE,
    options: { ...RETRIES, deleteAfterSeconds: KEEP_DONE_SECONDS },
    batchSize: BATCH,
    handle: (job) => sendMail(deps, job),
  };
}

/**
 * Sends one mail. A process killed between sending and marking sends again under the same Message-ID: a
 * mail may come twice, but is never lost.
 */
export async function sendMail(
  deps: MailDeps,
  { id, data: { workspaceId } }: QueuedJob<MailJob>,
): Promise<JobOutcome> {
  const row = await findMail(deps.database.db, workspaceId, id);
  if (!row) return 'done';
  const outcome = row.sent_at === null ? await sendRow(deps, row) : 'done';
  // It has the address of somebody who is gone.
  if (outcome === 'done' && row.payload.kind === 'account_deleted') {
    await deleteMail(deps.database.db, row);
  }
  return outcome;
}

async function sendRow(deps: MailDeps, row: OwedMailRow): Promise<JobOutcome> {
  const mail = await composeMail(deps, row);
  // Whom or what it is about is gone: there is nothing left to say.
  if (!mail) return 'done';
  const outcome = await deps.mailer.send(mail);
  switch (outcome.kind) {
    case 'sent':
      await markSent(deps.database.db, row, new Date(deps.clock.now()));
      return 'done';
    case 'refused':
      deps.log.warn('mail refused', { reason: outcome.reason, workspaceId: row.workspace_id });
      return 'done';
    case 'unavailable':
      deps.log.warn('mail server unavailable', { reason: outcome.reason });
      return 'again';
    default:
      return outcome satisfies never;
  }
}
