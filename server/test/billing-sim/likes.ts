import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import type { Shopper } from '../checkout-fixture.ts';
import { pickNumber, type SimWorld } from './sim-world.ts';

/** No account is polled before it posts: three years of polls every 30 s would show nothing more. */
const NEVER = new Date('2100-01-01T00:00:00Z');
const BATCH = { leaseMs: 30_000, batch: 100 };

/** Makes one post, now and then a whole day's worth and more, and has the account polled. */
export async function makePosts(
  { deps, random, posts }: SimWorld,
  { igUsername, accountId, session }: Shopper,
): Promise<void> {
  const made = posts.get(igUsername) ?? [];
  posts.set(igUsername, made);
  const number = random() < 0.1 ? 6 : 1;
  for (let n = 0; n < number; n += 1) {
    const mediaType = random() < 0.3 ? 'VIDEO' : 'IMAGE';
    const shortcode = `C${igUsername}-${made.length}`;
    const { id } = deps.network.addPost(igUsername, { mediaType, shortcode });
    made.push({ id, shortcode });
  }
  await deps.database.db
    .updateTable('poll_schedule')
    .set({ next_poll_at: new Date(deps.clock.now()) })
    .where('workspace_id', '=', session.workspaceId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Detection of what was posted. */
export async function pollPosts({ deps, detector }: SimWorld): Promise<void> {
  const { signal } = new AbortController();
  while ((await detector.round(signal)) === 'again') continue;
  await detector.settled();
  await deps.database.db
    .updateTable('poll_schedule')
    .set({ next_poll_at: NEVER })
    .where('next_poll_at', '<', NEVER)
    .execute();
}

/** The provider delivers what it has; some of it in part, some not at all. Then new orders go there. */
export async function deliver(world: SimWorld): Promise<void> {
  const { deps, openRefs } = world;
  for (const ref of openRefs) endOrder(world, ref);
  openRefs.clear();
  while ((await pollDueOrders(deps, BATCH)) === 'again') continue;
  while ((await settleEndedOrders(deps)) === 'again') continue;
  const placedBefore = deps.provider.calls.length;
  while ((await placeDueOrders(deps, { ...BATCH, lockClaimed: lockClaimedOrders })) === 'again') {
    continue;
  }
  for (const call of deps.provider.calls.slice(placedBefore)) {
    if (call.call === 'placeOrders') for (const { ref } of call.orders) openRefs.add(ref);
  }
}

function endOrder({ deps, random, count }: SimWorld, ref: string): void {
  const dice = random();
  const order = deps.provider.orders.get(ref);
  if (!order) return;
  if (dice < 0.85) {
    deps.provider.complete(ref);
    return;
  }
  const delivered = dice < 0.95 ? pickNumber(random, 1, order.likes - 1) : 0;
  const views = order.views > 0 ? delivered : 0;
  const status = delivered > 0 ? 'Partial' : 'Canceled';
  deps.provider.advance(ref, { status, delivered, views });
  count(`order ${status}`);
}
