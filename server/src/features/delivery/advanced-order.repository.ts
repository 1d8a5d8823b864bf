import type { Ids } from '../../deps.ts';
import type { Tx } from '../../db/database.ts';
import type { Advanced } from './advance-order.ts';
import { storeOrders } from './delivery.repository.ts';

/** Stores locked orders and records what happened to them, in the same transaction. */
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
  if (events.length > 0) await tx.insertInto('order_event').values(events).execute();
}
