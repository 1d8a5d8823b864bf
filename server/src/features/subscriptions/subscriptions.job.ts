import type { Job } from '../../jobs/job.ts';
import { createLoop, type Round } from '../../jobs/loop.ts';
import { sendDueRefunds } from '../billing/send-refunds.service.ts';
import { advanceSubscription } from './advance-subscription.service.ts';
import { approveDueMoneyBacks, finishMoneyBacks } from './money-back.service.ts';
import type { CollectDeps } from '../billing/collect-charge.service.ts';
import { claimDueSubscriptions } from './subscription-work.repository.ts';

const IDLE_MS = 5000;
const BATCH = 10;
/** Longer than a look at the network and a charge take together. */
const LEASE_MS = 120_000;

/** Renews, reminds, resumes and ends subscriptions when their time comes, and returns money owed. */
export function createSubscriptionsJob(deps: CollectDeps): Job {
  return createLoop({
    name: 'subscriptions',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: () => runSubscriptions(deps),
  });
}

/** One round: what is due, at most ten subscriptions side by side so that none outlives its lease. */
export async function runSubscriptions(deps: CollectDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const claims = await claimDueSubscriptions(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + LEASE_MS),
    most: BATCH,
  });
  await Promise.all(
    claims.map((claim) =>
      advanceSubscription(deps, claim).catch((error: unknown) => {
        deps.log.error('subscription not advanced', { reason: claim.subscriptionId, error });
      }),
    ),
  );
  await approveDueMoneyBacks(deps);
  const sent = await sendDueRefunds(deps);
  await finishMoneyBacks(deps);
  return claims.length === BATCH || sent === 'again' ? 'again' : 'idle';
}
