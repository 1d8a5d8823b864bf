import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { addPendingDays } from './add-days.service.ts';
import { closeDays } from './close-days.service.ts';
import { deleteOldIntervals, noteUnread } from './subscription-interval.repository.ts';

const EVERY_MS = 60_000;
const KEEP_MS = 90 * 86_400_000;

type FairClockDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

/** Gives a day back for every local day on which a subscription couldn't be served (D5). */
export function createFairClockJob(deps: FairClockDeps): Job {
  return createLoop({
    name: 'fair-clock',
    clock: deps.clock,
    log: deps.log,
    idleMs: EVERY_MS,
    round: async () => {
      await runFairClock(deps);
      return 'idle';
    },
  });
}

/** One round. Rounds of several nodes at once come to the same. */
export async function runFairClock(deps: FairClockDeps): Promise<void> {
  const { db } = deps.database;
  await noteUnread(db, new Date(deps.clock.now()));
  await closeDays(deps);
  await addPendingDays(deps);
  await deleteOldIntervals(db, new Date(deps.clock.now() - KEEP_MS));
}
