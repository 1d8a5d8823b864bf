import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { readGatewayWhenDue } from '../disputes/read-gateway.service.ts';
import { finishSetUp } from './billing-info.service.ts';
import { refreshDueCards } from '../cards/refresh-cards.ts';
import { claimDueCardSetups } from '../cards/card-setup.repository.ts';
import { claimDueCharges } from '../charges/charge.repository.ts';
import { CHARGE_LEASE_MS, type CollectDeps } from '../charges/charge-clock.ts';
import { collectCharge } from '../settlement/collect-charge.service.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';

const IDLE_MS = 1000;
const BATCH = 10;

/**
 * Settles charges whose request was lost, returns money that bought nothing, and hears of disputes
 * and refunds made at the gateway.
 */
export function createChargeJanitorJob(deps: CollectDeps): Job {
  return createLoop(deps, {
    name: 'charge-janitor',
    idleMs: IDLE_MS,
    round: async () => {
      const round = await settleDueCharges(deps);
      await settleDueCardSetups(deps);
      await refreshDueCards(deps);
      await readGatewayWhenDue(deps);
      return round;
    },
  });
}

/** One round: every card that is due to be polled, at most ten. */
export async function settleDueCardSetups(deps: CollectDeps): Promise<void> {
  const lease = leaseOf(deps.clock, { leaseMs: CHARGE_LEASE_MS, limit: BATCH });
  const due = await claimDueCardSetups(deps.database.db, lease);
  await Promise.all(
    due.map((key) =>
      finishSetUp(deps, key).catch((error: unknown) => {
        deps.log.error('card set-up not settled', { setUpId: key.setUpId, error });
      }),
    ),
  );
}

/**
 * One round: every charge that is due, and every refund, at most ten of each, side by side so that none
 * outlives its lease.
 */
export async function settleDueCharges(deps: CollectDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: CHARGE_LEASE_MS, limit: BATCH });
  const claims = await claimDueCharges(deps.database.db, lease);
  await Promise.all(
    claims.map((claim) =>
      collectCharge(deps, claim).catch((error: unknown) => {
        deps.log.error('charge not settled', { chargeId: claim.chargeId, error });
      }),
    ),
  );
  const sent = await sendDueRefunds(deps);
  return claims.length === BATCH || sent === 'again' ? 'again' : 'idle';
}
