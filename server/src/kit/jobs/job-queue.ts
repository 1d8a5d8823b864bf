import { PgBoss, type QueueOptions } from 'pg-boss';
import type { Deps } from '../deps.ts';

/** The queue's tables; `public` keeps nothing but the product's. */
const SCHEMA = 'pgboss';
/** How long work that has begun may take to end when the process stops. */
const DRAIN_MS = 20_000;

/** One job as its worker sees it. */
export interface QueuedJob<Data> {
  id: string;
  data: Data;
}

/** What became of a job: done, or to be tried again later. */
export type JobOutcome = 'done' | 'again';

/** Work the queue hands out in batches. */
export interface QueueWork<Data extends object> {
  name: string;
  options: QueueOptions;
  batchSize: number;
  handle: (job: QueuedJob<Data>, signal: AbortSignal) => Promise<JobOutcome>;
}

/** Something done at fixed times, on one node at a time. */
export interface Tick {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run: (signal: AbortSignal) => Promise<void>;
}

/** A queue that isn't started yet; what goes wrong inside it is logged. */
export function createJobQueue({ database, log }: Pick<Deps, 'database' | 'log'>): PgBoss {
  const boss = new PgBoss({ ...database.queueStore, schema: SCHEMA, useListenNotify: true });
  boss.on('error', (error) => log.error('job queue failed', { error }));
  boss.on('warning', ({ message }) => log.warn('job queue warns', { reason: message }));
  return boss;
}

/** Finishes what has begun; nothing new is taken. */
export function stopJobQueue(boss: PgBoss): Promise<void> {
  return boss.stop({ graceful: true, timeout: DRAIN_MS });
}

/** Takes part in the work of a started queue. A worker waits for a notification, not for a poll. */
export async function takeWork<Data extends object>(
  boss: PgBoss,
  log: Deps['log'],
  { name, options, batchSize, handle }: QueueWork<Data>,
): Promise<void> {
  await boss.createQueue(name, { ...options, notify: true });
  await boss.updateQueue(name, { ...options, notify: true });
  const how = { batchSize, perJobResults: true, burstWhenBatchFull: true } as const;
  await boss.work<Data>(name, how, async (jobs) => {
    const results = [];
    for (const job of jobs) {
      const outcome = await handle(job, job.signal).catch((error: unknown) => {
        log.error('queued job failed', { job: name, error });
        return 'again' as const;
      });
      const status = outcome === 'done' ? ('completed' as const) : ('failed' as const);
      results.push({ id: job.id, status });
    }
    return results;
  });
}

/** Has a tick done at its times; several nodes may ask for it, one of them does it. */
export async function scheduleTick(
  boss: PgBoss,
  log: Deps['log'],
  { name, cron, run }: Tick,
): Promise<void> {
  const queue = `tick-${name}`;
  // Exclusive: while one is waiting or under way, the next is left out.
  await boss.createQueue(queue, { policy: 'exclusive' });
  await takeWork(boss, log, {
    name: queue,
    options: { retryLimit: 2, retryDelay: 30, deleteAfterSeconds: 86_400 },
    batchSize: 1,
    handle: async (_job, signal) => {
      await run(signal);
      return 'done';
    },
  });
  await boss.schedule(queue, cron, null, { tz: 'UTC' });
}
