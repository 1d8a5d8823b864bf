import type { Ids } from '../../deps.ts';
import type { Tx } from '../../db/database.ts';
import { oweLikesDelivered } from '../mail/likes-delivered.repository.ts';
import { insertMail } from '../mail/outbox.repository.ts';
import { owePushes } from '../push/push-subscription.repository.ts';
import type { Advanced } from './advance-order.ts';
import { storeOrders } from './delivery.repository.ts';

/** Stores locked orders records what happened to them and owes the mails about it, in the same transaction. */
export async function storeAdvanced(
  tx: Tx,
  ids: Ids,
  advanced: readonly Advanced[],
  at: Date,
): Promise<void> {
  await storeOrders(
    tx,
    advanced.map(({ order }) => order),
  );
  const events = advanced.flatMap(({ order, events: kinds }) =>
    kinds.map((kind) => ({
      workspace_id: order.workspace_id,
      order_id: order.id,
      id: ids.uuid(),
      kind,
      fence: order.fence,
      at,
    })),
  );
  for (const { order, events: kinds } of advanced) {
    if (order.state !== 'Partial' || !kinds.includes('finished')) continue;
    const { workspace_id: workspaceId, id } = order;
    // Under the order's id: an order ends once, and owes one mail at most.
    await insertMail(tx, {
      workspaceId,
      id,
      payload: { kind: 'order_partly_delivered', orderId: id },
      now: at,
    });
  }
  const done = advanced
    .filter(({ order, events: kinds }) => order.state === 'Completed' && kinds.includes('finished'))
    .map(({ order }) => order);
  await oweLikesDelivered(tx, ids, done, at);
  await owePushes(tx, done, at);
  if (events.length > 0) await tx.insertInto('order_event').values(events).execute();
}
