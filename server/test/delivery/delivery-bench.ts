import type { DeliveryProvider } from '#server/adapters/provider/delivery-provider.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import type { ProviderRound } from '#server/delivery/orders/provider-round.ts';
import {
  type LikeOrderRow,
  type NewLikeOrder,
  requestCancel,
} from '#server/delivery/orders/like-order.repository.ts';
import {
  type Customer,
  plantCustomer,
  plantOrder,
  plantPost,
  readEffects,
  readOrder,
} from './order-fixture.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';

/** One customer, a scriptable provider and the rounds of the delivery jobs, one at a time. */
export interface DeliveryBench {
  deps: TestDeps;
  customer: Customer;
  /** A credit order of 20 likes for a post of its own, due now. */
  newOrder(change?: Partial<NewLikeOrder>): Promise<string>;
  /** The same, taken by the provider. */
  placedOrder(): Promise<string>;
  /** One round of placing; `provider` replaces calls of the provider for this round. */
  place(options?: { batch?: number; provider?: Partial<DeliveryProvider> }): Promise<ProviderRound>;
  poll(options?: { provider?: Partial<DeliveryProvider> }): Promise<ProviderRound>;
  /** Asks for the end of the order's delivery. */
  stop(id: string, reason?: 'post_deleted' | 'stopped'): Promise<number>;
  order(id: string): Promise<LikeOrderRow>;
  effects(id: string): Promise<string[]>;
  /** Takes all orders away, and what was logged. */
  clear(): Promise<void>;
}

export async function openDeliveryBench(): Promise<DeliveryBench> {
  const deps = await createTestDeps();
  const customer = await plantCustomer(deps, { igId: '17800000000000001', igUsername: 'ada' });
  const { db } = deps.database;
  let posts = 0;
  const rounds = { leaseMs: 30_000, batch: 100, lockClaimed: lockClaimedOrders };
  const withProvider = (provider: Partial<DeliveryProvider> = {}) => ({
    ...deps,
    provider: { ...deps.provider, ...provider },
  });
  const bench: DeliveryBench = {
    deps,
    customer,
    newOrder: async (change = {}) => {
      posts += 1;
      const postId = `17900000000${posts}`;
      await plantPost(deps, customer, { id: postId });
      const credit = { kind: 'credit', subscription_id: null, local_day: null } as const;
      return plantOrder(deps, customer, { post_id: postId, slot: null, ...credit, ...change });
    },
    placedOrder: async () => {
      const id = await bench.newOrder();
      await bench.place();
      return id;
    },
    place: ({ batch = 100, provider } = {}) =>
      placeDueOrders(withProvider(provider), { ...rounds, batch }),
    poll: ({ provider } = {}) => pollDueOrders(withProvider(provider), rounds),
    stop: (id, reason = 'post_deleted') =>
      deps.database.transaction(async (tx) => {
        const { post_id: postId } = await readOrder(tx, id);
        const now = new Date(deps.clock.now());
        const target = { accountId: customer.accountId, postId };
        return requestCancel(tx, customer.workspaceId, target, { reason, now });
      }),
    order: (id) => readOrder(db, id),
    effects: (id) => readEffects(db, id),
    clear: async () => {
      await db.deleteFrom('like_order').execute();
      deps.logged.length = 0;
    },
  };
  return bench;
}
