import type { ChargeMismatch, Presence } from '#server/adapters/stripe/card-gateway.ts';
import type { NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import { isCardDisputed } from '../cards/disputed-card.repository.ts';
import { type BankQuestion, beginWaiting, readAtGateway, returnUrlOf } from './ask-bank.ts';
import {
  ageMs,
  CHARGE_LEASE_MS,
  type CollectDeps,
  nextCheckAt,
  REPEAT_UNTIL_MS,
  SEND_UNTIL_MS,
} from '../charges/charge-clock.ts';
import {
  type ChargeCase,
  type ChargeClaim,
  type ChargeKey,
  claimCharge,
  findCharge,
  markSent,
  markUnknown,
} from '../charges/charge.repository.ts';
import { applyDecline, applySuccess, type Settlement, settlementOf } from './settle-charge.ts';

/*
 * A charge:
 *
 *   created ──gateway is asked──> sent ──┬─ yes ───────> succeeded ──┬─ delivered: paid
 *      │                          │ ^    └─ no ──> declined          └─ couldn't be: returned, a refund is owed
 *      │                          v │ looked up ^  │
 *      └─ never sent ─> declined  unknown ──────┘  └── yes after all ──> succeeded, returned
 *
 *   sent, unknown ──bank asks its customer──> needs_action ──┬─ confirmed ──> succeeded
 *                                                 ^  │       └─ refused, given up, an hour over:
 *                                                 └──┘          canceled at the gateway ──> declined
 *                                             polled again
 *
 * - The row is written before the gateway is asked, with the key that it is asked under: however often it is
 *   asked, it charges once.
 * - Whoever works on a charge holds a claim for a minute. An answer "no" counts only under the claim's fence;
 *   "yes" always does, because money that moved is a fact.
 * - What was bought is delivered in the transaction that records the payment. What can't be delivered is
 *   refunded in that transaction. Nothing is both, or neither.
 * - A settled charge stays as it is, but for a "yes" after a "no".
 * - From `needs_action` on nothing is sent any more, so what the gateway says is a fact, whoever brings it, with
 *   or without a claim. A browser's word decides nothing. A no there counts once the gateway has canceled the
 *   charge: until then a browser could still pay it. A yes that was first stays one.
 * - Whoever isn't there can't be asked: such a charge is canceled, and declined as `authentication_required`.
 */

/** What the gateway is known to have done with a charge. */
type GatewayVerdict =
  | { kind: 'succeeded'; gatewayChargeId: string; isOtherCard: boolean }
  | { kind: 'declined'; code: NoChargeCode }
  | BankQuestion
  | { kind: 'undecided'; reason: string };

/** Goes on with a charge that exists; where somebody else is at it, only says how it stands. */
export async function resumeCharge(deps: CollectDeps, key: ChargeKey): Promise<Settlement> {
  const nowMs = deps.clock.now();
  const claim = await claimCharge(deps.database.db, key, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + CHARGE_LEASE_MS),
  });
  if (claim) return collectCharge(deps, claim);
  const charge = await findCharge(deps.database.db, key);
  if (!charge) return { kind: 'open' };
  return charge.state === 'needs_action' ? readAtGateway(deps, charge) : settlementOf(charge);
}

/**
 * Resumes a claimed charge: sends it, or finds out what became of it. The same for the customer's request, a
 * repeat of it, and the janitor; killed at any point, the next one goes on from what is written.
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
    case 'needs_action':
      return readAtGateway(deps, charge);
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
  const { amountCents, paymentMethodId } = charge;
  const asked = { amountCents, chargeId, customerId, paymentMethodId };
  const found = await deps.gateway.findCharge(asked);
  if (found.kind === 'mismatch') return undecidedMismatch(deps, charge, found);
  if (found.kind === 'unknown') return { kind: 'undecided', reason: found.reason };
  if (found.kind === 'found') {
    switch (found.state) {
      case 'succeeded':
        return { ...found, kind: 'succeeded' };
      case 'declined':
        return { kind: 'declined', code: found.code };
      case 'needs_action':
        return { ...found, kind: 'needs_action' };
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
  deps.log.error('charge rejected', { chargeId, reason: answer.reason });
  // Absent and refused, and whatever was sent first has come to its end long ago.
  if (ageMs(deps, charge) > SEND_UNTIL_MS) return { kind: 'declined', code: 'rejected' };
  // An earlier request under this key may still be under way, so a refusal proves nothing.
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
    presence: presenceOf(deps, charge),
  });
  switch (answer.kind) {
    case 'done':
      return { ...answer, kind: 'succeeded', isOtherCard: false };
    case 'unknown':
      return { kind: 'undecided', reason: answer.reason };
    case 'mismatch':
      return undecidedMismatch(deps, charge, answer);
    case 'declined':
    case 'needs_action':
    case 'rejected':
      break;
  }
  return answer;
}

function presenceOf(
  { settings }: CollectDeps,
  { chargeId, isPresent, setsUpCard }: ChargeCase,
): Presence {
  if (!isPresent) return { kind: 'absent' };
  return { kind: 'present', returnUrl: returnUrlOf(settings, chargeId), setsUpCard };
}

/**
 * Stores what the gateway did. Whoever learns of it, and however often, the first verdict stays;
 * only a success outweighs an earlier "declined", and its money goes back.
 */
export async function applyVerdict(
  deps: CollectDeps,
  claim: ChargeClaim,
  charge: ChargeCase,
  verdict: GatewayVerdict,
): Promise<Settlement> {
  switch (verdict.kind) {
    case 'succeeded':
      return applySuccess(deps, charge, verdict);
    case 'declined':
      // Fenced: a successor may have sent the charge again since this answer was given.
      return applyDecline(deps, charge, verdict.code, ({ fence }) => fence === claim.fence);
    case 'needs_action':
      return beginWaiting(deps, claim, charge, verdict);
    case 'undecided':
      break;
  }
  deps.log.warn('charge undecided', { chargeId: charge.chargeId, reason: verdict.reason });
  await markUnknown(deps.database.db, claim, nextCheckAt(deps, charge));
  return { kind: 'open' };
}

/** Cancels a charge that waits at the bank; where the customer's yes was first, it is paid. */
export async function giveUpCharge(deps: CollectDeps, key: ChargeKey): Promise<Settlement> {
  const charge = await findCharge(deps.database.db, key);
  if (charge?.state !== 'needs_action') return resumeCharge(deps, key);
  return readAtGateway(deps, charge, 'given_up');
}
