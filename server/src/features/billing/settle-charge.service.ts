import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { type AuditAction, appendAudit } from '../audit/audit.repository.ts';
import { insertMail } from '../mail/outbox.repository.ts';
import {
  type ChargeCase,
  type ChargeClaim,
  type ChargeStanding,
  lockCharge,
  markUnknown,
  settleCharge,
} from './charge.repository.ts';
import type { NoChargeCode } from './charge.table.ts';
import { deliverPurchase, releasePurchase } from './deliver-purchase.ts';
import { planRefunds } from './refund.repository.ts';

/** What the gateway is known to have done with a charge. */
export type GatewayVerdict =
  | { kind: 'succeeded'; gatewayChargeId: string }
  | { kind: 'declined'; code: NoChargeCode }
  | { kind: 'undecided'; reason: string };

/** Where a charge stands for the customer. */
export type Settlement =
  | { kind: 'paid' }
  /** Paid for something that was gone: the money is on its way back. */
  | { kind: 'returned' }
  | { kind: 'declined'; code: NoChargeCode | null }
  | { kind: 'open' };

type SettleDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

const CHECK_SOONEST_MS = 5000;
const CHECK_LATEST_MS = 10 * 60_000;

/**
 * Stores what the gateway did. Whoever learns of it, and however often, the first verdict stays;
 * only a success outweighs an earlier "declined", and its money goes back.
 */
export async function applyVerdict(
  deps: SettleDeps,
  claim: ChargeClaim,
  charge: ChargeCase,
  verdict: GatewayVerdict,
): Promise<Settlement> {
  switch (verdict.kind) {
    case 'succeeded':
      return applySuccess(deps, charge, verdict.gatewayChargeId);
    case 'declined':
      return applyDecline(deps, claim, charge, verdict.code);
    case 'undecided':
      break;
  }
  const nowMs = deps.clock.now();
  deps.log.warn('charge undecided', { chargeId: charge.chargeId, reason: verdict.reason });
  await markUnknown(deps.database.db, claim, new Date(nowMs + checkDelayMs(charge, nowMs)));
  return { kind: 'open' };
}

/** Asks again after as long as the charge is old: each time twice the last, from 5 s to 10 min. */
function checkDelayMs(charge: ChargeCase, nowMs: number): number {
  const ageMs = nowMs - charge.createdAt.getTime();
  return Math.min(CHECK_LATEST_MS, Math.max(CHECK_SOONEST_MS, ageMs));
}

/** Not fenced: money that moved is a fact, whoever brings the news. */
async function applySuccess(
  deps: SettleDeps,
  charge: ChargeCase,
  gatewayChargeId: string,
): Promise<Settlement> {
  return deps.database.transaction(async (tx): Promise<Settlement> => {
    const row = await lockCharge(tx, charge);
    if (row.state === 'succeeded') return settlementOf(row);
    const now = new Date(deps.clock.now());
    const isWanted = row.state !== 'declined' && !charge.isAbandoned;
    const isGiven = isWanted && (await deliverPurchase(tx, deps, charge, now));
    await settleCharge(tx, charge, {
      state: 'succeeded',
      gateway_charge_id: gatewayChargeId,
      settled_at: now,
      decline_code: null,
      is_returned: !isGiven,
      next_check_at: null,
    });
    if (isGiven) {
      await confirmPayment(tx, charge, now);
      return { kind: 'paid' };
    }
    deps.log.warn('charge bought nothing', { chargeId: charge.chargeId });
    await returnCharge(tx, deps, charge, now);
    await releasePurchase(tx, deps, charge, { kind: 'returned' }, now);
    return { kind: 'returned' };
  });
}

/** All of it goes back, as soon as it can be sent. */
async function returnCharge(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, chargeId, amountCents }: ChargeCase,
  now: Date,
): Promise<void> {
  const whole = { workspaceId, chargeId, leftCents: amountCents };
  const refund = { reason: 'returned', cents: amountCents, now, dueAt: now } as const;
  await planRefunds(tx, deps, [whole], refund);
}

/** The receipt has the charge's id: a charge owes one, whoever learns of it. */
async function confirmPayment(tx: Tx, charge: ChargeCase, now: Date): Promise<void> {
  const { workspaceId, chargeId, checkout } = charge;
  await insertMail(tx, { workspaceId, id: chargeId, payload: { kind: 'receipt', chargeId }, now });
  await appendAudit(tx, {
    workspaceId,
    actor: 'userId' in checkout ? checkout.userId : 'system',
    action: paidAction(checkout.kind),
    subject: chargeId,
    now,
  });
}

/** Of plans only first payments and renewals are payments of a subscription; a change is its own. */
function paidAction(kind: ChargeCase['checkout']['kind']): AuditAction {
  switch (kind) {
    case 'credits':
      return 'credits_bought';
    case 'plan_change':
      return 'plan_changed';
    case 'subscription':
    case 'renewal':
      return 'subscription_paid';
    default:
      return kind satisfies never;
  }
}

/** Fenced: a successor may have sent the charge again since this answer was given. */
async function applyDecline(
  deps: SettleDeps,
  claim: ChargeClaim,
  charge: ChargeCase,
  code: NoChargeCode,
): Promise<Settlement> {
  return deps.database.transaction(async (tx): Promise<Settlement> => {
    const row = await lockCharge(tx, charge);
    const isOpen = settlementOf(row).kind === 'open';
    if (!isOpen || row.fence !== claim.fence) return settlementOf(row);
    const now = new Date(deps.clock.now());
    await settleCharge(tx, charge, {
      state: 'declined',
      decline_code: code,
      settled_at: now,
      next_check_at: null,
    });
    await releasePurchase(tx, deps, charge, { kind: 'declined', code }, now);
    return { kind: 'declined', code };
  });
}

/** What a stored charge says. */
export function settlementOf(row: ChargeStanding): Settlement {
  switch (row.state) {
    case 'created':
    case 'sent':
    case 'unknown':
      return { kind: 'open' };
    case 'declined':
      return { kind: 'declined', code: row.declineCode };
    case 'succeeded':
      break;
  }
  return row.isReturned ? { kind: 'returned' } : { kind: 'paid' };
}
