import type { Deps } from '../../deps.ts';
import { deleteOldUses } from '../../http/rate-limit.repository.ts';
import { deleteOldSubmits } from '../../http/submit.repository.ts';
import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { deleteOldSlots } from '../detection/automatic-slot.repository.ts';
import { forgetProfiles } from '../detection/profile-reading.ts';
import { deleteOldProofs } from '../ownership/ownership.repository.ts';
import { deleteOldPromoGrants } from '../promo/promo-grant.repository.ts';
import { deleteDeadSubscriptions } from '../push/push-subscription.repository.ts';
import { deleteOldRecoveries } from '../recovery/recovery.repository.ts';
import { deleteOldQuotes } from '../subscriptions/plan-quote.repository.ts';
import { deleteOldSessions } from './session.repository.ts';

const EVERY_MS = 10 * 60_000;
const KEEP_DEAD_SESSIONS_MS = 30 * 86_400_000;
const KEEP_SUBMITS_MS = 30 * 86_400_000;
/** Whoever was away meanwhile is told that the price has changed, not that there was none. */
const KEEP_QUOTES_MS = 3_600_000;

/**
 * Sweeps up rows that have had their time: dead sessions and their push subscriptions, recoveries, windows of limits, promo windows
 * that gave their bonus, quotes, answered submits, what look-ups showed, slots of days gone by, and codes that
 * have expired. They count as absent before that, so it doesn't
 * matter when this runs, or on how many nodes.
 */
export function createExpiryJob(deps: Pick<Deps, 'clock' | 'log' | 'database'>): Job {
  const { clock, log, database } = deps;
  return createLoop({
    name: 'expiry',
    clock,
    log,
    idleMs: EVERY_MS,
    round: async () => {
      const now = clock.now();
      await deleteOldUses(database.db, new Date(now));
      await forgetProfiles(database.db, new Date(now));
      await deleteOldSlots(database.db, new Date(now));
      await deleteOldProofs(database.db, new Date(now));
      await deleteOldPromoGrants(database.db, new Date(now));
      await deleteOldRecoveries(database.db, new Date(now));
      await deleteDeadSubscriptions(database.db, new Date(now));
      await deleteOldSessions(database.db, {
        deadSince: new Date(now - KEEP_DEAD_SESSIONS_MS),
        now: new Date(now),
      });
      await deleteOldQuotes(database.db, {
        expiredBefore: new Date(now - KEEP_QUOTES_MS),
        usedBefore: new Date(now - KEEP_SUBMITS_MS),
      });
      await deleteOldSubmits(database.db, new Date(now - KEEP_SUBMITS_MS));
      return 'idle';
    },
  });
}
