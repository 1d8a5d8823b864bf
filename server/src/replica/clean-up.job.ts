import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  cleanScope,
  deleteOldResults,
  deleteScopesOfGone,
  deleteUnseenClients,
  listScopesToClean,
} from './clean-up.repository.ts';

const EVERY_MS = HOUR_MS;
/** A replica that was away for longer is read anew. */
const KEEP_TOMBSTONES_MS = 45 * DAY_MS;
const KEEP_RESULTS_MS = 30 * DAY_MS;
const KEEP_CLIENTS_MS = 180 * DAY_MS;
const SCOPE_LIMIT = 200;
/** Each may hold much of its workspace. */
const GONE_LIMIT = 10;

/**
 * Keeps the log of changes as small as what is there: old tombstones, answers and clients go. It may run on
 * any number of nodes at any time.
 */
export function createSyncCleanUpJob(deps: Pick<Deps, 'clock' | 'log' | 'database'>): Job {
  const { clock, database } = deps;
  return createLoop(deps, {
    name: 'sync clean-up',
    idleMs: EVERY_MS,
    round: async (signal) => {
      const now = clock.now();
      await deleteOldResults(database.db, new Date(now - KEEP_RESULTS_MS));
      await deleteUnseenClients(database.db, new Date(now - KEEP_CLIENTS_MS));
      const ages = { now: new Date(now), before: new Date(now - KEEP_TOMBSTONES_MS) };
      const gone = await deleteScopesOfGone(database.db, GONE_LIMIT);
      const scopes = await listScopesToClean(database.db, { ...ages, limit: SCOPE_LIMIT });
      for (const owner of scopes) {
        if (signal.aborted) return 'idle';
        await database.transaction((tx) => cleanScope(tx, owner, ages));
      }
      return scopes.length < SCOPE_LIMIT && gone < GONE_LIMIT ? 'idle' : 'again';
    },
  });
}
