import type { OrderId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { makeOrderDue } from '#server/delivery/orders/like-order.repository.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

const LATE_MS = 30 * MINUTE_MS;
const SHOWN_LIMIT = 100;

interface StuckOrder {
  id: string;
  state: string;
  attempts: number;
  finishBy: Date;
  nextAttemptAt: Date;
}

/** Orders that are not final half an hour after they were to be, oldest first, at most 100. */
export function listStuckOrders({
  clock,
  database,
}: Pick<Deps, 'clock' | 'database'>): Promise<StuckOrder[]> {
  return database.db
    .selectFrom('like_order')
    .select(['id', 'state', 'attempts', 'finish_by as finishBy'])
    .select('next_attempt_at as nextAttemptAt')
    .$narrowType<{ nextAttemptAt: Date }>()
    .where('next_attempt_at', 'is not', null)
    .where('finish_by', '<', new Date(clock.now() - LATE_MS))
    .orderBy('finish_by')
    .limit(SHOWN_LIMIT)
    .execute();
}

/**
 * Makes an unfinished order due now, whoever has it: that one is overtaken. Its ref stays the same, so the
 * provider delivers nothing twice. False when there is no such order, or it is final.
 */
export async function replayOrder(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  orderId: OrderId,
): Promise<boolean> {
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const workspaceId = await makeOrderDue(tx, orderId, now);
    if (workspaceId === undefined) return false;
    const entry = { workspaceId, actor: 'operator', subject: orderId };
    await appendAudit(tx, { ...entry, action: 'order_replayed', now });
    return true;
  });
}
