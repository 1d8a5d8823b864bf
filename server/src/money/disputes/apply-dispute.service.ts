import type { GatewayDispute } from '#server/adapters/stripe/card-gateway.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit, type AuditAction } from '#server/audit/audit.repository.ts';
import {
  DISPUTE_STATES,
  type DisputeState,
  REVERSING_STATES,
} from '#server/kit/db/tables/charge.table.ts';
import { lockRefundable, planRefunds } from '../charges/refund.repository.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import { lockBalance } from '../credits/ledger.repository.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import { requestCancel } from '#server/delivery/orders/like-order.repository.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { lockRefundRequest } from '../refunds/refund-request.repository.ts';
import { lockSubscription, oweMail } from '../subscriptions/subscription-work.repository.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import {
  type DisputeRow,
  findDispute,
  findPaidCharge,
  listPlanClocks,
  lockPayment,
  putDispute,
  setDisputedDays,
} from './dispute.repository.ts';
import { returnDisputedCredits, takePaymentsCredits } from '../credits/disputed-credits.ts';
import { hashCard, holdCards, learnFingerprint } from '../cards/disputed-card.repository.ts';
import { issueDocuments } from '../documents/issue-documents.service.ts';
import { cutOwedRefunds } from './cut-refunds.repository.ts';
import { insertDisputeNotice } from '#server/mail/owed-mail.repository.ts';
import { resumeStoppedPlan } from './resume-stopped-plan.ts';
import { reviseRefundRequest } from '../refunds/refund-request.service.ts';
import { moneyBackUntil } from '../subscriptions/subscription-clock.ts';
import type { PaidCharge } from '../charges/charge.repository.ts';

type DisputeDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;

/**
 * What a dispute does (D4), in one transaction with the row that tells of it. Opened: the plan and its orders
 * stop, credits of the payment are taken, its card buys nothing and no money goes back. Won: all of it returns,
 * the plan for the days that were left. Lost: it stays, and what was owed of the payment is owed no more. News that
 * is older than what is known changes nothing.
 */
export async function applyDispute(deps: DisputeDeps, told: GatewayDispute): Promise<void> {
  const payment = await findPaidCharge(deps.database.db, told.gatewayChargeId);
  if (!payment) return;
  await deps.database.transaction(async (tx) => {
    const { workspaceId, subscriptionId } = payment;
    if (subscriptionId !== null) await lockRefundRequest(tx, { workspaceId, subscriptionId });
    await lockPayment(tx, payment);
    const known = await findDispute(tx, workspaceId, told.disputeId);
    if (known && rankOf(told.state) <= rankOf(known.state)) return;
    const { fingerprint = payment.fingerprint } = told;
    if (!payment.isReturned) await holdCards(tx, deps, [payment, { ...payment, fingerprint }]);
    const now = new Date(deps.clock.now());
    await takeStep(
      tx,
      deps,
      { payment, known: known ?? asHeard(deps, payment, told, now), told },
      now,
    );
    const { chargeId } = payment;
    const { disputeId, gatewayChargeId, state: step, amountCents } = told;
    const notice = { chargeId, disputeId, gatewayChargeId, step, amountCents };
    await insertDisputeNotice(tx, { id: deps.ids.uuid(), notice, now });
    // Last: a deletion holds the workspace before it comes to its cards.
    // What was returned may have been paid with another card than the one that is kept.
    if (told.fingerprint !== undefined && !payment.isReturned) {
      await learnFingerprint(tx, deps, payment, told.fingerprint);
    }
    const reason = told.state === 'won' ? 'dispute_won' : 'dispute';
    await issueDocuments(tx, deps, payment, { reason, now });
  });
}

const rankOf = (state: DisputeState): number => DISPUTE_STATES.indexOf(state);

/** Nothing has been done about it yet. */
function asHeard(
  deps: DisputeDeps,
  payment: PaidCharge,
  told: GatewayDispute,
  now: Date,
): DisputeRow {
  const fingerprint = told.fingerprint ?? payment.fingerprint;
  return {
    workspace_id: payment.workspaceId,
    id: told.disputeId,
    charge_id: payment.chargeId,
    amount_cents: told.amountCents,
    state: 'inquiry',
    opened_at: told.openedAt,
    heard_at: now,
    decided_at: null,
    released_at: null,
    card_hash: payment.isReturned ? null : hashCard(deps, { ...payment, fingerprint }),
    taken_credits: 0,
    kept_credits: 0,
    cut_cents: 0,
    stopped_at: null,
  };
}

interface Step {
  payment: PaidCharge;
  known: DisputeRow;
  told: GatewayDispute;
}

async function takeStep(
  tx: Tx,
  deps: DisputeDeps,
  { payment, known, told }: Step,
  now: Date,
): Promise<void> {
  const row = { ...known, amount_cents: told.amountCents };
  const isHeld = REVERSING_STATES.includes(known.state);
  switch (told.state) {
    case 'inquiry':
      return putDispute(tx, row);
    case 'open':
      return open(tx, deps, payment, asOpen(row, now), now);
    case 'lost':
      if (!isHeld) await open(tx, deps, payment, asOpen(row, now), now);
      return decide(
        tx,
        deps,
        payment,
        { before: isHeld ? row : asOpen(row, now), to: 'lost' },
        now,
      );
    case 'won':
      // It took nothing that could return.
      if (!isHeld) return putDispute(tx, { ...row, state: 'won', heard_at: now, decided_at: now });
      return decide(tx, deps, payment, { before: row, to: 'won' }, now);
    default:
      return told.state satisfies never;
  }
}

const asOpen = (row: DisputeRow, now: Date): DisputeRow => ({
  ...row,
  state: 'open',
  heard_at: now,
});

async function open(
  tx: Tx,
  deps: DisputeDeps,
  payment: PaidCharge,
  row: DisputeRow,
  now: Date,
): Promise<void> {
  const { workspaceId, chargeId } = payment;
  const isPlanStopped = !payment.isReturned && (await stopPlan(tx, deps, payment, now));
  const hasCustomer = await keepWorkspace(tx, workspaceId);
  const taking = { disputeId: row.id, now };
  const { taken, missing } = await takePaymentsCredits(tx, deps, payment, taking);
  const stoppedAt = isPlanStopped ? now : null;
  await putDispute(tx, { ...row, taken_credits: taken, stopped_at: stoppedAt });
  if (missing > 0 && payment.checkout.kind === 'credits') {
    await requestCancel(tx, workspaceId, { kind: 'credit' }, { reason: 'stopped', now });
  }
  await audit(tx, row, 'payment_disputed', now);
  if (!hasCustomer || payment.isReturned) return;
  const mail = { amountCents: row.amount_cents, takenCredits: taken, isPlanStopped };
  await oweMail(tx, deps, workspaceId, { kind: 'payment_disputed', chargeId, ...mail }, now);
}

/** @returns whether a plan ran until now */
async function stopPlan(
  tx: Tx,
  deps: DisputeDeps,
  { workspaceId, subscriptionId }: PaidCharge,
  now: Date,
): Promise<boolean> {
  if (subscriptionId === null) return false;
  const plan = await lockSubscription(tx, { workspaceId, subscriptionId });
  if (!plan) return false;
  const isRunning = isUnended(plan.state);
  if (isRunning) await endSubscription(tx, deps, plan, { state: 'Canceled', now });
  await requestCancel(tx, workspaceId, { subscriptionId }, { reason: 'stopped', now });
  return isRunning;
}

const keepCredits = ({ taken_credits: kept }: DisputeRow) => ({
  taken_credits: 0,
  kept_credits: kept,
});

interface Decision {
  /** Open, or lost where an appeal was won. */
  before: DisputeRow;
  to: 'lost' | 'won';
}

async function decide(
  tx: Tx,
  deps: DisputeDeps,
  payment: PaidCharge,
  { before, to }: Decision,
  now: Date,
): Promise<void> {
  const { workspaceId, chargeId, subscriptionId } = payment;
  const isAppeal = before.state === 'lost';
  // Charges are held before the balance is, as everywhere.
  if (isAppeal && subscriptionId !== null)
    await lockRefundable(tx, { workspaceId, subscriptionId });
  const plan = subscriptionId === null ? undefined : { workspaceId, subscriptionId };
  const stopped = plan && to === 'won' ? await lockSubscription(tx, plan) : undefined;
  const hasCustomer = await keepWorkspace(tx, workspaceId);
  await lockBalance(tx, workspaceId);
  // Behind the balance's lock: an order that ended meanwhile may have returned credits that were taken, too.
  const kept = (await findDispute(tx, workspaceId, before.id)) ?? before;
  const { taken_credits: taken, stopped_at: stoppedAt } = kept;
  const released = before.released_at ?? now;
  const row = { ...before, state: to, decided_at: now, released_at: released };
  const decided = { ...row, taken_credits: taken, stopped_at: stoppedAt };
  await putDispute(tx, decided);
  const returned = await settle(tx, deps, payment, { decided, isAppeal }, now);
  const runsUntil = stopped && hasCustomer ? await resumeStoppedPlan(tx, stopped, now) : undefined;
  if (!isAppeal) await addDisputedDays(tx, decided);
  await audit(tx, row, to === 'won' ? 'dispute_won' : 'dispute_lost', now);
  if (!hasCustomer || payment.isReturned) return;
  const mail: MailPayload = {
    kind: 'dispute_decided',
    chargeId,
    amountCents: row.amount_cents,
    outcome: to,
    takenCredits: returned,
    ...(runsUntil && { planUntil: runsUntil.toISOString() }),
  };
  await oweMail(tx, deps, workspaceId, mail, now);
}

/** @returns how many of the credits it took stay taken when it is lost, or return when it is won */
async function settle(
  tx: Tx,
  deps: DisputeDeps,
  payment: PaidCharge,
  { decided, isAppeal }: { decided: DisputeRow; isAppeal: boolean },
  now: Date,
): Promise<number> {
  if (decided.state === 'lost') {
    const cut = await cutOwedRefunds(tx, payment);
    if (cut > 0) await putDispute(tx, { ...decided, cut_cents: cut });
    return decided.taken_credits;
  }
  const isCounted = isAppeal && (await owePaymentAgain(tx, deps, payment, decided, now));
  const settled = { ...decided, cut_cents: 0, ...(isCounted && keepCredits(decided)) };
  await putDispute(tx, settled);
  return returnDisputedCredits(tx, deps, settled, now);
}

function audit(tx: Tx, row: DisputeRow, action: AuditAction, now: Date): Promise<void> {
  const { workspace_id: workspaceId, charge_id: subject } = row;
  return appendAudit(tx, { workspaceId, actor: 'system', action, subject, now });
}

/**
 * A lost dispute was won by an appeal: what it made us owe no more is owed again.
 * @returns whether the money back of its plan has counted its credits
 */
async function owePaymentAgain(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, chargeId, subscriptionId }: PaidCharge,
  { cut_cents: cents }: Pick<DisputeRow, 'cut_cents'>,
  now: Date,
): Promise<boolean> {
  const charge = { workspaceId, chargeId, leftCents: cents };
  await planRefunds(tx, deps, [charge], { reason: 'returned', cents, now, dueAt: now });
  if (subscriptionId === null) return false;
  return reviseRefundRequest(tx, deps, { workspaceId, subscriptionId }, now);
}

/**
 * Money back can be asked for again, as many days longer as disputes kept the workspace from it that began within
 * its first days. Days that a dispute has added are no such days: one after the other would keep it for years.
 */
async function addDisputedDays(tx: Tx, dispute: DisputeRow): Promise<void> {
  const { workspace_id: workspaceId, heard_at: heardAt } = dispute;
  for (const row of await listPlanClocks(tx, workspaceId)) {
    const firstUntil = moneyBackUntil({ ...row, disputed_days: 0 });
    if (heardAt <= firstUntil) await setDisputedDays(tx, workspaceId, row, firstUntil);
  }
}
