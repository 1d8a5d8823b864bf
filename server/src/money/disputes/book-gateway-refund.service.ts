import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { GatewayRefund } from '#server/adapters/stripe/card-gateway.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { issueDocuments } from '../documents/issue-documents.service.ts';
import {
  findBooked,
  insertRefunded,
  listKnownRefunds,
  lockOwedRefunds,
  lowerRefund,
  markRefundFailed,
  type OwedRefund,
  readSpareCents,
} from '../charges/owed-refund.repository.ts';
import type { RefundKey } from '../charges/refund.repository.ts';
import type { RefundTable } from '#server/kit/db/tables/refund.table.ts';
import { changeRefundRequest } from '../refunds/refund-request.repository.ts';
import { oweMail } from '../subscriptions/subscription-work.repository.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { findPaidCharge, lockPayment } from './dispute.repository.ts';
import type { PaidCharge } from '../charges/charge.repository.ts';

type BookDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'settings'>;

/** Those that were made at the gateway itself, or failed there, and of which our books don't say the same yet. */
export async function listUnbookedRefunds(
  db: Db,
  refunds: readonly GatewayRefund[],
): Promise<GatewayRefund[]> {
  const rows = await listKnownRefunds(db, refunds);
  const own = new Map(rows.flatMap((row) => (row.theirs === null ? [[row.ours, row.state]] : [])));
  const booked = new Map(rows.map(({ theirs, state }) => [theirs, state]));
  return refunds.filter(({ refundId, gatewayRefundId, state }) => {
    const known = own.get(refundId ?? '') ?? booked.get(gatewayRefundId);
    return state === 'failed' ? known === 'refunded' : known === undefined;
  });
}

/**
 * Writes down what was given back at the gateway itself. It pays what we still owe of that payment; the rest
 * is a refund of its own. One that failed later waits for an operator, like those the gateway refuses.
 */
export async function bookGatewayRefund(deps: BookDeps, told: GatewayRefund): Promise<void> {
  const payment = await findPaidCharge(deps.database.db, told.gatewayChargeId);
  if (!payment || (await wasSentAgain(deps, told))) return;
  await deps.database.transaction(async (tx) => {
    await lockPayment(tx, payment);
    const now = new Date(deps.clock.now());
    const known = await findBooked(tx, payment, told);
    if (told.state === 'succeeded') {
      if (known) return;
      await book(tx, deps, payment, { told, now });
      await issueDocuments(tx, deps, payment, { reason: 'refund', now });
      return;
    }
    if (known) await markFailed(tx, payment, known, now);
  });
}

/** Whether a refund of ours that failed has been made a second time, which didn't. */
async function wasSentAgain({ gateway }: BookDeps, told: GatewayRefund): Promise<boolean> {
  const { refundId, gatewayChargeId, state } = told;
  if (state !== 'failed' || refundId === undefined) return false;
  const found = await gateway.findRefund({ gatewayChargeId, refundId });
  if (found.kind === 'unknown') throw new Error(`Refund not found out about: ${found.reason}`);
  return found.kind === 'found' && found.state === 'succeeded';
}

interface Booking {
  told: GatewayRefund;
  now: Date;
}

async function book(
  tx: Tx,
  deps: BookDeps,
  payment: PaidCharge,
  { told, now }: Booking,
): Promise<void> {
  const { workspaceId, chargeId } = payment;
  const owed = await lockOwedRefunds(tx, payment);
  const spareCents = await readSpareCents(tx, payment);
  let left = told.amountCents;
  let isOther = false;
  for (const refund of owed) {
    // What was sent may have arrived, so it is paid by this one only where both can't be.
    const isSent = refund.state === 'owed' && refund.sent_at !== null;
    const cents = Math.min(isSent ? left - spareCents : left, refund.amount_cents);
    if (cents <= 0) continue;
    left -= cents;
    isOther ||= refund.reason !== 'money_back';
    await pay(tx, deps, refund, { told, cents, now });
  }
  if (left > 0) {
    isOther = true;
    await insertPaid(
      tx,
      deps,
      { workspaceId, chargeId, reason: 'gateway', cents: left },
      { told, now },
    );
  }
  const entry = { workspaceId, actor: 'gateway', action: 'refunded_at_gateway' } as const;
  await appendAudit(tx, { ...entry, subject: chargeId, now });
  // The money-back guarantee mails its own steps.
  if (!isOther || !(await keepWorkspace(tx, workspaceId))) return;
  const { amountCents } = told;
  await oweMail(tx, deps, workspaceId, { kind: 'refund', chargeId, amountCents }, now);
}

/** The same money, by the gateway's refund instead of ours. */
async function pay(
  tx: Tx,
  deps: BookDeps,
  refund: OwedRefund,
  { told, cents, now }: Booking & { cents: number },
): Promise<void> {
  const { workspace_id: workspaceId, charge_id: chargeId, reason } = refund;
  await lowerRefund(tx, refund, { cents, key: told.gatewayRefundId });
  await insertPaid(tx, deps, { workspaceId, chargeId, reason, cents }, { told, now });
}

async function insertPaid(
  tx: Tx,
  { ids }: BookDeps,
  paid: {
    workspaceId: WorkspaceId;
    chargeId: string;
    reason: RefundTable['reason'];
    cents: number;
  },
  { told, now }: Booking,
): Promise<void> {
  await insertRefunded(tx, {
    workspace_id: paid.workspaceId,
    id: ids.uuid(),
    charge_id: paid.chargeId,
    reason: paid.reason,
    gateway_refund_id: told.gatewayRefundId,
    amount_cents: paid.cents,
    created_at: told.createdAt,
    sent_at: told.createdAt,
    refunded_at: now,
  });
}

/** The money came back to us: it waits for an operator, and a money back isn't paid any more. */
async function markFailed(
  tx: Tx,
  { subscriptionId }: PaidCharge,
  refund: RefundKey,
  now: Date,
): Promise<void> {
  const reason = await markRefundFailed(tx, refund, now);
  if (reason === undefined) return;
  const { workspaceId } = refund;
  if (reason === 'money_back' && subscriptionId !== null) {
    const change = { state: 'Approved', paid_at: null } as const;
    await changeRefundRequest(tx, { workspaceId, subscriptionId }, change);
  }
  const entry = { workspaceId, actor: 'gateway', action: 'refund_rejected' } as const;
  await appendAudit(tx, { ...entry, subject: refund.id, now });
}
