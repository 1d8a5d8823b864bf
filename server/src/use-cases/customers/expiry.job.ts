import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import { deleteOldInvitations } from '#server/identity/members/invitation.repository.ts';
import { deleteOldUses } from '#server/identity/limits/rate-limit.repository.ts';
import { deleteOldAttempts } from '#server/kit/attempts/attempt.repository.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import { deleteOldSlots } from '#server/delivery/automatic/automatic-slot.repository.ts';
import { forgetProfiles } from '#server/network/allowance/remembered-profile.repository.ts';
import { deleteOldProofs } from '#server/network/accounts/ownership.repository.ts';
import { deleteOldPromoGrants } from '#server/identity/promo/promo-grant.repository.ts';
import { deleteDeadSubscriptions } from '#server/identity/push/push-subscription.repository.ts';
import { deleteOldRecoveries } from '#server/identity/recovery/recovery.repository.ts';
import { deleteOldQuotes } from '#server/money/plan-changes/plan-quote.repository.ts';
import { deleteOldSessions } from '#server/identity/sessions/session.repository.ts';

const EVERY_MS = 10 * MINUTE_MS;
const KEEP_DEAD_SESSIONS_MS = 30 * DAY_MS;
const KEEP_ATTEMPTS_MS = 30 * DAY_MS;
/** Whoever was away meanwhile is told that the price has changed, not that there was none. */
const KEEP_QUOTES_MS = HOUR_MS;

/**
 * Sweeps up rows that have had their time: dead sessions and their push subscriptions, recoveries,
 * windows of limits, promo windows that gave their bonus, invitations, quotes, answered attempts,
 * what look-ups showed, slots of days gone by, and codes that have expired. They count as absent
 * before that, so it doesn't matter when this runs, or on how many nodes.
 */
export function createExpiryJob(deps: Pick<Deps, 'clock' | 'log' | 'database'>): Job {
  const { clock, database } = deps;
  return createLoop(deps, {
    name: 'expiry',
    idleMs: EVERY_MS,
    round: async () => {
      const now = clock.now();
      await deleteOldUses(database.db, new Date(now));
      await forgetProfiles(database.db, new Date(now));
      await deleteOldSlots(database.db, new Date(now));
      await deleteOldProofs(database.db, new Date(now));
      await deleteOldPromoGrants(database.db, new Date(now));
      await deleteOldRecoveries(database.db, new Date(now));
      await deleteOldInvitations(database.db, new Date(now - KEEP_DEAD_SESSIONS_MS));
      await deleteDeadSubscriptions(database.db, new Date(now));
      await deleteOldSessions(database.db, {
        deadSince: new Date(now - KEEP_DEAD_SESSIONS_MS),
        now: new Date(now),
      });
      await deleteOldQuotes(database.db, {
        expiredBefore: new Date(now - KEEP_QUOTES_MS),
        usedBefore: new Date(now - KEEP_ATTEMPTS_MS),
      });
      await deleteOldAttempts(database.db, new Date(now - KEEP_ATTEMPTS_MS));
      return 'idle';
    },
  });
}
