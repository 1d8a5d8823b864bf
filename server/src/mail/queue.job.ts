import type { PgBoss } from 'pg-boss';
import type { Deps } from '#server/kit/deps.ts';
import { forwardMails, mailWork } from './mail-queue.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import {
  createJobQueue,
  scheduleTick,
  stopJobQueue,
  takeWork,
  type Tick,
} from '#server/kit/jobs/job-queue.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';

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
