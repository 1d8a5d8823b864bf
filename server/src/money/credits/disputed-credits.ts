import type { Selectable } from 'kysely';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { DisputeTable } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { lockBalance } from './ledger.repository.ts';
import {
  addTaken,
  lockLaterDisputes,
  lockWaiting,
  readBrought,
} from './disputed-credits.repository.ts';
import { giveDisputedBack, takeDisputed } from './ledger.service.ts';
import type { PaidCharge } from '../charges/charge.repository.ts';

type DisputeRow = Selectable<DisputeTable>;
type CreditDeps = Pick<Deps, 'ids'>;

/**
 * Takes what is left of the credits that a disputed payment brought; other disputes of it may have taken
 * some. The bonus counts as spent first. Call it once per dispute.
 * @returns how many were taken, and how many of them were spent or are held by orders
 */
export async function takePaymentsCredits(
  tx: Tx,
  deps: CreditDeps,
  payment: PaidCharge,
  { disputeId, now }: { disputeId: string; now: Date },
): Promise<{ taken: number; missing: number }> {
  const { workspaceId, chargeId } = payment;
  await lockBalance(tx, workspaceId);
  if (payment.isReturned) return { taken: 0, missing: 0 };
  const brought = await readBrought(tx, payment);
  const taken = Math.min(brought.credits, brought.balance);
  if (taken > 0) {
    const key = `dispute:${disputeId}`;
    await takeDisputed(tx, deps, { workspaceId, chargeId, key, credits: taken, now });
  }
  return { taken, missing: brought.credits - taken };
}

/**
 * Gives back what a dispute took, as it is won, but for what later disputes couldn't take because it had. Call it
 * once, with the balance locked.
 * @returns how many the customer has again
 */
export async function returnDisputedCredits(
  tx: Tx,
  deps: CreditDeps,
  dispute: Pick<DisputeRow, 'workspace_id' | 'charge_id' | 'id' | 'taken_credits' | 'heard_at'>,
  now: Date,
): Promise<number> {
  const { workspace_id: workspaceId, charge_id: chargeId, id, taken_credits: credits } = dispute;
  if (credits === 0) return 0;
  const key = `dispute:${id}:returned`;
  await giveDisputedBack(tx, deps, { workspaceId, chargeId, key, credits, now });
  let left = credits;
  for (const later of await lockLaterDisputes(tx, dispute)) {
    const missing = (await readBrought(tx, later)).credits;
    left -= await takeFor(tx, deps, later, {
      key: `dispute:${later.id}:returned:${id}`,
      credits: Math.min(left, missing),
      now,
    });
  }
  return left;
}

/**
 * Takes what a stopped order of bought credits has just returned, as far as it belongs to a disputed pack.
 * Part of the transaction that settles the order.
 */
export async function takeReturnedCredits(
  tx: Tx,
  deps: CreditDeps,
  order: {
    workspaceId: WorkspaceId;
    orderId: OrderId;
    detectedAt: Date;
    returned: number;
    now: Date;
  },
): Promise<void> {
  const { workspaceId, orderId, detectedAt, now } = order;
  let left = order.returned;
  for (const { id, chargeId, missing } of await lockWaiting(tx, workspaceId, detectedAt)) {
    left -= await takeFor(
      tx,
      deps,
      { workspaceId, chargeId, id },
      { key: `dispute:${id}:order:${orderId}`, credits: Math.min(left, missing), now },
    );
  }
}

/** @returns how many it took for a dispute that misses some */
async function takeFor(
  tx: Tx,
  deps: CreditDeps,
  { workspaceId, chargeId, id }: { workspaceId: WorkspaceId; chargeId: string; id: string },
  { key, credits, now }: { key: string; credits: number; now: Date },
): Promise<number> {
  if (credits <= 0) return 0;
  await takeDisputed(tx, deps, { workspaceId, chargeId, key, credits, now });
  await addTaken(tx, { workspaceId, id }, credits);
  return credits;
}
