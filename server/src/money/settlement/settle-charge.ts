import { appendAudit } from '#server/audit/audit.repository.ts';
import { issueDocuments } from '../documents/issue-documents.service.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import type { NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  type ChargeCase,
  type ChargeStatus,
  lockCharge,
  type OpenCharge,
  settleCharge,
  type Unpaid,
} from '../charges/charge.repository.ts';
import { tellBudgets } from '../budgets/budgets.service.ts';
import { confirmPayment, recordPayment } from '../charges/payment.repository.ts';
import { countReturned } from '../charges/return-limits.ts';
import { isPayingCardDisputed } from '../cards/disputed-card.repository.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { addPack } from '../credits/ledger.service.ts';
import { applyPlanChange } from '../subscriptions/apply-plan-change.ts';
import { renewalFailed, renewSubscription } from '../subscriptions/renew-subscription.ts';
import { releaseReservation } from '../subscriptions/subscription.repository.ts';
import { startSubscription } from '../subscriptions/start-subscription.ts';

/** Where a charge stands for the customer. */
export type Settlement =
  | { kind: 'paid' }
  /** Paid for something that was gone: the money is on its way back. */
  | { kind: 'returned' }
  | { kind: 'declined'; code: NoChargeCode | null }
  /** The bank asks its customer. */
  | { kind: 'needs_action'; charge: OpenCharge }
  | { kind: 'open' };

type SettleDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'settings'>;

/**
 * Not fenced: money that moved is a fact, whoever brings the news. Another card than was asked for buys nothing:
 * it may be a disputed one. Nor does a card of which a dispute was heard while its bank asked.
 */
export function applySuccess(
  deps: SettleDeps,
  charge: ChargeCase,
  { gatewayChargeId, isOtherCard }: { gatewayChargeId: string; isOtherCard: boolean },
): Promise<Settlement> {
  return deps.database.transaction(async (tx): Promise<Settlement> => {
    const row = await lockCharge(tx, charge);
    if (row.state === 'succeeded') return settlementOf({ ...charge, ...row });
    const now = new Date(deps.clock.now());
    const isDisputed = !isOtherCard && (await isPayingCardDisputed(tx, deps, charge));
    const isTaken = !isOtherCard && !isDisputed;
    const isWanted = row.state !== 'declined' && !charge.isAbandoned && isTaken;
    const isGiven = isWanted && (await deliverPurchase(tx, deps, charge, now));
    await settleCharge(tx, charge, {
      state: 'succeeded',
      gateway_charge_id: gatewayChargeId,
      settled_at: now,
      decline_code: null,
      is_returned: !isGiven,
      next_check_at: null,
      action_url: null,
    });
    if (isGiven) {
      await confirmPayment(tx, charge, now);
      const { workspaceId, checkout } = charge;
      const accountId = checkout.kind === 'credits' ? null : checkout.accountId;
      await tellBudgets(tx, deps, { workspaceId, accountId, now });
      await issueDocuments(tx, deps, charge, { reason: 'refund', now });
      return { kind: 'paid' };
    }
    const { amountCents: cents, workspaceId, chargeId: subject } = charge;
    deps.log.warn('charge bought nothing', { chargeId: subject });
    if (!isTaken) {
      const actor = charge.askedBy ?? 'system';
      const action = isOtherCard ? 'other_card_returned' : 'disputed_card_returned';
      await appendAudit(tx, { workspaceId, actor, action, subject, now });
    }
    const isOfDueDate = charge.checkout.kind === 'renewal' && !charge.isPresent;
    if (!isOfDueDate) await countReturned({ ...deps, database: { db: tx } }, charge);
    const refund = { reason: 'returned', cents, now, dueAt: now } as const;
    await planRefunds(tx, deps, [{ ...charge, leftCents: cents }], refund);
    await releasePurchase(tx, deps, charge, { kind: 'returned' }, now);
    await issueDocuments(tx, deps, charge, { reason: 'refund', now });
    return { kind: 'returned' };
  });
}

/**
 * @param isFinal whether the no still counts for what is stored by now: an answer that somebody has
 * overtaken since may not
 */
export function applyDecline(
  deps: SettleDeps,
  charge: ChargeCase,
  code: NoChargeCode,
  isFinal: (row: Awaited<ReturnType<typeof lockCharge>>) => boolean,
): Promise<Settlement> {
  return deps.database.transaction(async (tx): Promise<Settlement> => {
    const row = await lockCharge(tx, charge);
    if (!isOpen(row) || !isFinal(row)) return settlementOf({ ...charge, ...row });
    const now = new Date(deps.clock.now());
    await settleCharge(tx, charge, {
      state: 'declined',
      decline_code: code,
      settled_at: now,
      next_check_at: null,
      action_url: null,
    });
    await releasePurchase(tx, deps, charge, { kind: 'declined', code }, now);
    return { kind: 'declined', code };
  });
}

const isOpen = ({ state }: ChargeStatus): boolean => state !== 'succeeded' && state !== 'declined';

/** What a stored charge says. */
export function settlementOf(charge: ChargeStatus & OpenCharge): Settlement {
  switch (charge.state) {
    case 'created':
    case 'sent':
    case 'unknown':
      return { kind: 'open' };
    case 'needs_action':
      return { kind: 'needs_action', charge };
    case 'declined':
      return { kind: 'declined', code: charge.declineCode };
    case 'succeeded':
      break;
  }
  return charge.isReturned ? { kind: 'returned' } : { kind: 'paid' };
}

/**
 * Gives what a charge has paid for, with the charge locked.
 * @returns whether it could be given; if not, the money has to go back
 */
async function deliverPurchase(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: ChargeCase,
  now: Date,
): Promise<boolean> {
  const { checkout } = paid;
  switch (checkout.kind) {
    case 'subscription':
      return startSubscription(tx, deps, { ...paid, checkout }, now);
    case 'renewal':
      return renewSubscription(tx, deps, { ...paid, checkout }, now);
    case 'plan_change':
      return applyPlanChange(tx, deps, { ...paid, checkout }, now);
    case 'credits':
      break;
  }
  const { workspaceId, chargeId } = paid;
  await addPack(tx, deps, { workspaceId, chargeId, credits: checkout.credits, now });
  await recordPayment(tx, paid, { id: deps.ids.uuid(), igUsername: null, now });
  return true;
}

/** Lets go of what was kept for a purchase that won't be. */
async function releasePurchase(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  charge: ChargeCase,
  unpaid: Unpaid,
  now: Date,
): Promise<void> {
  const { checkout } = charge;
  switch (checkout.kind) {
    case 'subscription':
      return releaseReservation(tx, checkout);
    case 'renewal':
      return renewalFailed(tx, deps, { ...charge, checkout }, unpaid, now);
    case 'plan_change':
    case 'credits':
      break;
  }
}
