import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';
import type { FindChargeOutcome } from '#server/adapters/stripe/card-gateway.ts';
import type { NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { ageMs, type CollectDeps, CONFIRM_WITHIN_MS, nextPollAt } from '../charges/charge-clock.ts';
import { type ChargeCase, type ChargeClaim, findCharge } from '../charges/charge.repository.ts';
import { applyDecline, applySuccess, type Settlement, settlementOf } from './settle-charge.ts';
import { keepWaiting, markNeedsAction } from '../charges/waiting-charge.repository.ts';

/** The bank asks its customer there. */
export interface BankQuestion {
  kind: 'needs_action';
  gatewayChargeId: string;
  url: string;
}

/** Where the bank's page leads back to; no client ever names another one. */
export function returnUrlOf(
  { publicUrl }: Pick<Deps['settings'], 'publicUrl'>,
  paymentId: string,
): string {
  return `${publicUrl}${PAYMENT_RETURN}?payment=${paymentId}`;
}

/** The bank has begun to ask. */
export async function beginWaiting(
  deps: CollectDeps,
  claim: ChargeClaim,
  charge: ChargeCase,
  { gatewayChargeId, url }: BankQuestion,
): Promise<Settlement> {
  const asked = { gatewayChargeId, url, nextCheckAt: nextPollAt(deps, charge) };
  const isOurs = await markNeedsAction(deps.database.db, claim, asked);
  const stored = await findCharge(deps.database.db, claim);
  if (!stored) return { kind: 'open' };
  return isOurs && !isAskable(deps, stored) ? readAtGateway(deps, stored) : settlementOf(stored);
}

/** Whether the customer may still confirm it. */
function isAskable(deps: CollectDeps, charge: ChargeCase): boolean {
  return charge.isPresent && !charge.isAbandoned && ageMs(deps, charge) < CONFIRM_WITHIN_MS;
}

function overCode({ isPresent, isAbandoned }: ChargeCase): NoChargeCode {
  if (isAbandoned) return 'abandoned';
  return isPresent ? 'not_confirmed_in_time' : 'authentication_required';
}

/**
 * Polls the gateway: how a charge stands that its bank asks about.
 * @param giveUp the customer doesn't want it any more
 */
export async function readAtGateway(
  deps: CollectDeps,
  charge: ChargeCase,
  giveUp?: 'given_up',
): Promise<Settlement> {
  const { amountCents, chargeId, customerId, paymentMethodId, gatewayChargeId } = charge;
  if (gatewayChargeId === null) throw new Error(`Charge ${chargeId} waits for nothing`);
  const paidFor = { amountCents, chargeId, customerId: customerId ?? '', paymentMethodId };
  const asked = { ...paidFor, gatewayChargeId };
  let found = await deps.gateway.findCharge(asked);
  const no = noOf(deps, charge, found, giveUp);
  if (no !== undefined) {
    const canceled = await deps.gateway.cancelCharge({ gatewayChargeId });
    if (canceled.kind === 'done') {
      return applyDecline(deps, charge, no, ({ state }) => state === 'needs_action');
    }
    // The customer's yes was first.
    if (canceled.kind === 'succeeded') found = await deps.gateway.findCharge(asked);
    else deps.log.warn('charge not canceled', { chargeId, reason: canceled.reason });
  }
  if (found.kind === 'mismatch') {
    deps.log.error('gateway charged something else', { chargeId, reason: found.reason });
  }
  if (found.kind === 'found' && found.state === 'succeeded') {
    return applySuccess(deps, charge, found);
  }
  const url =
    no === undefined && found.kind === 'found' && found.state === 'needs_action'
      ? found.url
      : undefined;
  const next = { nextCheckAt: nextPollAt(deps, charge), ...(url !== undefined && { url }) };
  await keepWaiting(deps.database.db, charge, next);
  // Otherwise nobody knows for now: neither whether it is paid nor whether it can be.
  return url === undefined
    ? { kind: 'open' }
    : { kind: 'needs_action', charge: { ...charge, actionUrl: url } };
}

/** Why it is to end without a payment; undefined while it may still be paid. */
function noOf(
  deps: CollectDeps,
  charge: ChargeCase,
  found: FindChargeOutcome,
  giveUp: 'given_up' | undefined,
): NoChargeCode | undefined {
  if (found.kind !== 'found') return undefined;
  const over = isAskable(deps, charge) ? undefined : overCode(charge);
  if (found.state === 'needs_action') return giveUp ?? over;
  if (found.state !== 'declined') return undefined;
  return found.code === 'not_confirmed' ? (over ?? found.code) : found.code;
}
