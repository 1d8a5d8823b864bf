import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import type { Shopper } from '../checkout-fixture.ts';
import { type Customer, plantOrder, plantPost, publish } from './order-fixture.ts';
import { subscriptionOf } from '../money/subscription-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** A shopper with a plan, as orders know them. */
export async function customerOf(deps: TestDeps, shopper: Shopper): Promise<Customer> {
  const row = await subscriptionOf(deps, shopper);
  const { workspace_id: workspaceId, account_id: accountId, ig_id: igId, id } = row;
  return { workspaceId, accountId, igId, igUsername: shopper.igUsername, subscriptionId: id };
}

/** An order of the top plan that the provider delivers half of: 469 credits return. */
export async function fallShort(deps: TestDeps, shopper: Shopper): Promise<void> {
  const customer = await customerOf(deps, shopper);
  const id = `short_${shopper.igUsername}`;
  await plantPost(deps, customer, { id });
  publish(deps, customer, id);
  const terms = { plan_price_cents: 45_000, plan_likes: 10_000, period_days: 30 };
  const order = { post_id: id, slot: 1, ordered: 10_000, ...terms };
  const planted = await plantOrder(deps, customer, order);
  await endOrder(deps, planted, { delivered: 5000, remains: 5000 });
}

/** The provider ends an order early. */
export async function endOrder(
  deps: TestDeps,
  id: string,
  got: { delivered: number; remains: number },
): Promise<void> {
  const finished_at = new Date(deps.clock.now());
  await deps.database.db
    .updateTable('like_order')
    .set({ ...got, state: 'Partial', reason: 'no_members', finished_at, next_attempt_at: null })
    .where('id', '=', id)
    .execute();
  await settleEndedOrders(deps);
}
