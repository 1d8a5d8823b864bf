import { type ChargeKey, claimCharge, findCharge } from './charge.repository.ts';
import { CHARGE_LEASE_MS, collectCharge, type CollectDeps } from './collect-charge.service.ts';
import { settlementOf, type Settlement } from './settle-charge.service.ts';

/** Goes on with a charge that exists; where somebody else is at it, only says how it stands. */
export async function bringOnCharge(deps: CollectDeps, key: ChargeKey): Promise<Settlement> {
  const nowMs = deps.clock.now();
  const claim = await claimCharge(deps.database.db, key, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + CHARGE_LEASE_MS),
  });
  if (claim) return collectCharge(deps, claim);
  const charge = await findCharge(deps.database.db, key);
  return charge ? settlementOf(charge) : { kind: 'open' };
}
