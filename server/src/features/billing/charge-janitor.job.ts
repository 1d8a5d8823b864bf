import type { Job } from '../../jobs/job.ts';
import { createLoop, type Round } from '../../jobs/loop.ts';
import { readGatewayWhenDue } from '../disputes/read-gateway.service.ts';
import { claimDueCharges } from './charge.repository.ts';
import { CHARGE_LEASE_MS, collectCharge, type CollectDeps } from './collect-charge.service.ts';
import { sendDueRefunds } from './send-refunds.service.ts';

const IDLE_MS = 1000;
const BATCH = 10;

/** Settles charges whose request was lost, returns money that bought nothing, and hears of disputes and refunds made at the gateway. */
export function createChargeJanitorJob(deps: CollectDeps): Job {
  return createLoop({
    name: 'charge-janitor',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: async () => {
      const round = await settleDueCharges(deps);
      await readGatewayWhenDue(deps);
      return round;
    },
  });
}

/**
 * One round: every charge that is due, and every refund, at most ten of each, side by side so that none
 * outlives its lease.
 */
export async function settleDueCharges(deps: CollectDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const claims = await claimDueCharges(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + CHARGE_LEASE_MS),
    most: BATCH,
  });
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
