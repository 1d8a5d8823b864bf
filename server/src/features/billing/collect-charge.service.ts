import type { ChargeMismatch } from '../../adapters/stripe/card-gateway.ts';
import type { Deps } from '../../deps.ts';
import { isCardDisputed } from '../disputes/disputed-card.repository.ts';
import { type ChargeCase, type ChargeClaim, findCharge, markSent } from './charge.repository.ts';
import {
  applyVerdict,
  type GatewayVerdict,
  settlementOf,
  type Settlement,
} from './settle-charge.service.ts';

/** Whoever works on a charge has it for this long: longer than a look-up and a charge take. */
export const CHARGE_LEASE_MS = 60_000;
/** Gateways forget keys after 24 hours; from here on only looking up is safe. */
const REPEAT_UNTIL_MS = 23 * 3_600_000;
/** A charge that was never sent isn't sent any more: its customer has gone away long ago. */
const SEND_UNTIL_MS = 3_600_000;

export type CollectDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'log' | 'settings'>;

/**
 * Brings a claimed charge on: sends it, or finds out what became of it. The same for the customer's request, a repeat of it, and the janitor; killed at any point, the next one
 * goes on from what is written.
 */
export async function collectCharge(deps: CollectDeps, claim: ChargeClaim): Promise<Settlement> {
  const charge = await findCharge(deps.database.db, claim);
  if (!charge) throw new Error(`Charge ${claim.chargeId} has lost its invoice or card`);
  switch (charge.state) {
    case 'created':
      return applyVerdict(deps, claim, charge, await sendFirst(deps, claim, charge));
    case 'sent':
    case 'unknown':
      return applyVerdict(deps, claim, charge, await findOut(deps, charge));
    case 'declined':
    case 'succeeded':
      break;
  }
  return settlementOf(charge);
}

/** Somebody is there to get what it pays for. */
type OwnedCharge = ChargeCase & { customerId: string };

function isOwned(charge: ChargeCase): charge is OwnedCharge {
  return !charge.isAbandoned && charge.customerId !== null;
}

async function sendFirst(
  deps: CollectDeps,
  claim: ChargeClaim,
  charge: ChargeCase,
): Promise<GatewayVerdict> {
  if (!isOwned(charge) || ageMs(deps, charge) > SEND_UNTIL_MS) {
    return { kind: 'declined', code: 'abandoned' };
  }
  if (await isCardDisputed(deps.database.db, deps, charge)) {
    return { kind: 'declined', code: 'card_disputed' };
  }
  if (!(await markSent(deps.database.db, claim))) return { kind: 'undecided', reason: 'overtaken' };
  const answer = await send(deps, charge);
  if (answer.kind !== 'rejected') return answer;
  deps.log.error('charge rejected', { chargeId: charge.chargeId, reason: answer.reason });
  return { kind: 'declined', code: 'rejected' };
}

/**
 * Looks up first: gateways repeat a stored answer, a failure or "pending" too, for as long as they
 * know the key. Only a charge the gateway has never heard of is sent again, under its own key.
 */
async function findOut(deps: CollectDeps, charge: ChargeCase): Promise<GatewayVerdict> {
  const { chargeId, customerId } = charge;
  // Only data from before deletions waited for payments is like this; I5 tells if it was paid after all.
  if (customerId === null) return { kind: 'declined', code: 'abandoned' };
  const { amountCents } = charge;
  const found = await deps.gateway.findCharge({ amountCents, chargeId, customerId });
  if (found.kind === 'mismatch') return undecidedMismatch(deps, charge, found);
  if (found.kind === 'unknown') return { kind: 'undecided', reason: found.reason };
  if (found.kind === 'found') {
    switch (found.state) {
      case 'succeeded':
        return { kind: 'succeeded', gatewayChargeId: found.gatewayChargeId };
      case 'declined':
        return { kind: 'declined', code: 'card_declined' };
      case 'pending':
        return { kind: 'undecided', reason: 'pending' };
    }
  }
  if (!isOwned(charge)) {
    // What was sent a moment ago may not be in the gateway's book yet.
    return ageMs(deps, charge) > SEND_UNTIL_MS
      ? { kind: 'declined', code: 'abandoned' }
      : { kind: 'undecided', reason: 'customer deleted' };
  }
  if (ageMs(deps, charge) > REPEAT_UNTIL_MS) return { kind: 'declined', code: 'never_charged' };
  const answer = await send(deps, charge);
  if (answer.kind !== 'rejected') return answer;
  // An earlier request under this key may still be under way, so a refusal proves nothing.
  deps.log.error('charge rejected', { chargeId, reason: answer.reason });
  return { kind: 'undecided', reason: answer.reason };
}

/** Stays open, so that neither the customer nor a worker pays again; I7 and I5 go on telling of it. */
function undecidedMismatch(
  { log }: CollectDeps,
  { chargeId }: ChargeCase,
  { reason }: ChargeMismatch,
): GatewayVerdict {
  log.error('gateway charged something else', { chargeId, reason });
  return { kind: 'undecided', reason: 'mismatch' };
}

async function send(
  deps: CollectDeps,
  charge: OwnedCharge,
): Promise<GatewayVerdict | { kind: 'rejected'; reason: string }> {
  const answer = await deps.gateway.charge({
    key: charge.gatewayKey,
    chargeId: charge.chargeId,
    customerId: charge.customerId,
    paymentMethodId: charge.paymentMethodId,
    amountCents: charge.amountCents,
    description: charge.description,
  });
  switch (answer.kind) {
    case 'done':
      return { kind: 'succeeded', gatewayChargeId: answer.gatewayChargeId };
    case 'unknown':
      return { kind: 'undecided', reason: answer.reason };
    case 'mismatch':
      return undecidedMismatch(deps, charge, answer);
    case 'declined':
    case 'rejected':
      break;
  }
  return answer;
}

function ageMs({ clock }: CollectDeps, charge: ChargeCase): number {
  return clock.now() - charge.createdAt.getTime();
}
