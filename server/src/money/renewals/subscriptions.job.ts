import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';
import { advanceSubscription } from './advance-subscription.service.ts';
import {
  approveDueRefundRequests,
  finishRefundRequests,
} from '../refunds/refund-request.service.ts';
import type { CollectDeps } from '../charges/charge-clock.ts';
import { claimDueSubscriptions } from '../subscriptions/subscription-work.repository.ts';

const IDLE_MS = 5000;
const BATCH = 10;
/** Longer than a reading of the network and a charge take together. */
const LEASE_MS = 120_000;

/** Renews, reminds, resumes and ends subscriptions when their time comes, and returns money owed. */
export function createSubscriptionsJob(deps: CollectDeps): Job {
  return createLoop(deps, {
    name: 'subscriptions',
    idleMs: IDLE_MS,
    round: () => runSubscriptions(deps),
  });
}

/** One round: what is due, at most ten subscriptions side by side so that none outlives its lease. */
export async function runSubscriptions(deps: CollectDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH });
  const claims = await claimDueSubscriptions(deps.database.db, lease);
  await Promise.all(
    claims.map((claim) =>
      advanceSubscription(deps, claim).catch((error: unknown) => {
        deps.log.error('subscription not advanced', { reason: claim.subscriptionId, error });
      }),
    ),
  );
  await approveDueRefundRequests(deps);
  const sent = await sendDueRefunds(deps);
  await finishRefundRequests(deps);
  return claims.length === BATCH || sent === 'again' ? 'again' : 'idle';
}
