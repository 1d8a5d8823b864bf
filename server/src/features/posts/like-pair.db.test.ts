import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Post } from '#shared/contract/post.ts';
import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import { DetectionBench } from '#test/detection-bench.ts';
import type { Customer } from '#test/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { lockClaimedOrders } from '../delivery/delivery.repository.ts';
import { placeDueOrders } from '../delivery/place-orders.service.ts';
import { pollDueOrders } from '../delivery/poll-orders.service.ts';
import { applyNews } from '../delivery/provider-news.service.ts';
import { listLikeOrders } from '../orders/like-order.repository.ts';
import { toLikeOrder } from '../orders/order-view.ts';
import { projectPosts } from '../sync/projection/project-posts.ts';
import { getPosts } from './posts.service.ts';

/** Uploads watched in steps of three seconds, by everything that shows figures. */

let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
});

interface Figures {
  total: number;
  organic: number;
  delivered: number;
  remains: number;
  startCount: number;
}

/** What card, receipt and API say at this moment; they say the same, and it sums up. */
async function shown(customer: Customer, postId: string): Promise<Figures> {
  const { workspaceId, accountId, igId } = customer;
  const page = { limit: 10, before: undefined, beforeId: undefined };
  const { items } = await getPosts(deps, { workspaceId, igId, ...page });
  const post = items.find(({ id }) => id === postId);
  if (!post) throw new Error('The post is not listed');
  const scope = { workspaceId, scope: `w:${workspaceId}` } as const;
  const texts = await projectPosts(deps, scope, [`${accountId}/${postId}`]);
  const [text = ''] = texts.values();
  const card = JSON.parse(text) as Post;
  const { edge_media_preview_like: total, organicLikes: organic, deliveredLikes } = card;
  expect({ total, organic, deliveredLikes }).toEqual({
    total: post.edge_media_preview_like,
    organic: post.organicLikes,
    deliveredLikes: post.deliveredLikes,
  });
  const rows = await listLikeOrders(deps.database.db, customer, { postId, limit: 10 });
  const receipts = rows.map((row) => toLikeOrder(row, customer.igUsername));
  const sum = (of: (receipt: (typeof receipts)[number]) => number): number =>
    receipts.reduce((all, receipt) => all + of(receipt), 0);
  expect(sum((receipt) => receipt.delivered)).toBe(deliveredLikes);
  expect(sum(({ delivered, remains }) => delivered + remains)).toBe(
    sum(({ ordered, bonus }) => ordered + bonus),
  );
  const startCount = sum((receipt) => receipt.startCount ?? 0);
  expect(organic).toBeGreaterThanOrEqual(startCount);
  expect(total.count).toBe((organic ?? 0) + deliveredLikes);
  const remains = sum((receipt) => receipt.remains);
  return {
    total: total.count ?? 0,
    organic: organic ?? 0,
    delivered: deliveredLikes,
    remains,
    startCount,
  };
}

async function upload(): Promise<{ customer: Customer; post: NetworkPost; ref: string }> {
  const name = `watched${deps.ids.uuid().slice(-6)}`;
  const customer = await bench.watch(deps.network.addAccount(name));
  await bench.look();
  const post = deps.network.addPost(name);
  await bench.lookLater();
  const rounds = { leaseMs: 30_000, batch: 100 };
  await placeDueOrders(deps, { ...rounds, lockClaimed: lockClaimedOrders });
  const [order] = await bench.orders(customer);
  if (!order) throw new Error('Nothing was ordered');
  return { customer, post, ref: order.id };
}

const poll = () => pollDueOrders(deps, { leaseMs: 30_000, batch: 100 });

async function hear(ref: string, news: Awaited<ReturnType<TestDeps['provider']['advance']>>) {
  const [row] = await deps.database.db
    .selectFrom('like_order')
    .select(['workspace_id', 'id'])
    .where('id', '=', ref)
    .execute();
  if (row) await applyNews(deps, [row], [news]);
}

/** Trouble on the way: nothing, no events, a provider or a network that fails every other time. */
const TROUBLES = ['none', 'no events', 'provider', 'network', 'late events'] as const;

test.each(TROUBLES)(
  'no figure falls but remains, and all sum up (trouble: %s)',
  async (trouble) => {
    const { customer, post, ref } = await upload();
    const target = deps.provider.orders.get(ref)?.likes ?? 0;
    const late: Array<ReturnType<TestDeps['provider']['advance']>> = [];
    let before = await shown(customer, post.id);
    let [organic, delivered] = [2, 0];
    let reads = deps.network.calls.length;
    for (let step = 0; step < 40; step += 1) {
      deps.clock.advance(3000);
      organic += step % 4 === 0 ? 1 : 0;
      delivered = Math.min(target, delivered + 1 + (step % 3));
      const isDone = delivered === target;
      const news = deps.provider.advance(ref, {
        status: isDone ? 'Completed' : 'In progress',
        delivered,
        startCount: 2,
      });
      Object.assign(post, { likeCount: organic + delivered });
      const isFailing = step % 2 === 0;
      if (trouble === 'late events') late.push(news);
      if (late.length > 5) await hear(ref, late.shift() ?? news);
      if (trouble === 'none' || trouble === 'network') await hear(ref, news);
      if (trouble === 'network' && deps.network.calls.length > reads) {
        reads = deps.network.calls.length + 1;
        deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
      }
      if (trouble === 'provider' && isFailing) {
        deps.provider.queueFailure({ kind: 'unavailable', reason: 'http_500' });
      }
      await bench.look();
      if (step % 3 !== 1) await poll();
      const now = await shown(customer, post.id);
      expect(now.organic).toBeGreaterThanOrEqual(before.organic);
      expect(now.organic).toBeLessThanOrEqual(organic);
      expect(now.delivered).toBeGreaterThanOrEqual(before.delivered);
      expect(now.total).toBeGreaterThanOrEqual(before.total);
      expect(now.remains).toBeLessThanOrEqual(before.remains);
      before = now;
      if (isDone && now.remains === 0) break;
    }
    for (let looks = 0; looks < 3; looks += 1) await bench.lookLater(5 * 60_000);
    await poll();
    expect(await shown(customer, post.id)).toMatchObject({
      organic,
      delivered: target,
      remains: 0,
    });
  },
);

test('likes that the network takes away after ten quiet minutes are told, and organic stays', async () => {
  const { customer, post, ref } = await upload();
  Object.assign(post, { likeCount: 3 });
  await hear(ref, deps.provider.advance(ref, { status: 'Processing', startCount: 3 }));
  const { delivered } = deps.provider.complete(ref);
  Object.assign(post, { likeCount: 3 + delivered });
  deps.clock.advance(3000);
  await poll();
  await bench.lookLater();
  expect((await shown(customer, post.id)).organic).toBe(3);
  Object.assign(post, { likeCount: 3 + delivered - 8 });
  await bench.lookLater();
  expect((await shown(customer, post.id)).total).toBe(3 + delivered);
  for (let looks = 0; looks < 3; looks += 1) await bench.lookLater(5 * 60_000);
  const [row] = await bench.posts(customer);
  expect(row).toMatchObject({ organic_likes: 3, lost_likes: 8, open_reading_at: null });
  Object.assign(post, { likeCount: 3 + delivered + 1 });
  await bench.lookLater();
  expect(await shown(customer, post.id)).toMatchObject({ organic: 4, total: 4 + delivered });
});
