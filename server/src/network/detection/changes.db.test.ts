import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SocialNetwork } from '#server/adapters/graph/social-network.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
  deps.logged.length = 0;
  deps.clock.set('2026-11-20T12:00:00Z');
});

const minute = 60_000;
const unreachable = { kind: 'unreachable', reason: 'http_500', usage: undefined } as const;

test('counts, captions and hidden likes are those of the newest poll', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const post = deps.network.addPost('ada', { likeCount: 5 });
  await bench.poll();
  // The fake hands out copies of the network's own posts, so that they can change there.
  deps.network.deletePost(post.id);
  deps.network.addPost('ada', { ...post, likeCount: null, commentCount: 7, caption: 'edited' });
  await bench.pollLater();
  expect(await bench.post(customer, post.id)).toMatchObject({
    like_count: null,
    comment_count: 7,
    caption: 'edited',
  });
});

test('an unchanged account costs no write, though the signed image addresses differ', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const post = deps.network.addPost('ada', { imageUrl: 'https://images.fake/1.jpg?oe=1' });
  await bench.poll();
  await bench.pollLater();
  deps.network.deletePost(post.id);
  deps.network.addPost('ada', { ...post, imageUrl: 'https://images.fake/1.jpg?oe=2' });
  const before = await bench.account(customer);
  await bench.pollLater();
  expect(await bench.account(customer)).toEqual(before);
  expect((await bench.post(customer, post.id)).image_url).toBe('https://images.fake/1.jpg?oe=1');
});

test('an unchanged account says every 5 minutes that it was read, with its followers', async () => {
  const account = deps.network.addAccount('ada');
  const customer = await bench.schedule(account);
  await bench.poll();
  account.followers = 4321;
  await bench.pollLater(5 * minute);
  expect(await bench.account(customer)).toMatchObject({
    followers: 4321,
    last_read_at: new Date(deps.clock.now()),
    problem: null,
  });
});

test('a deleted post is asked about after two polls without it, then its order is to stop', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  const post = deps.network.addPost('ada');
  const kept = deps.network.addPost('ada');
  await bench.pollLater();
  deps.network.deletePost(post.id);
  await bench.pollLater();
  expect(await bench.post(customer, post.id)).toMatchObject({ missing_polls: 1, deleted_at: null });
  await bench.pollLater();
  const now = new Date(deps.clock.now());
  expect(await bench.post(customer, post.id)).toMatchObject({ deleted_at: now });
  const orders = await bench.orders(customer);
  expect(orders.find((order) => order.post_id === post.id)).toMatchObject({
    cancel_requested: true,
    next_attempt_at: now,
  });
  expect(orders.find((order) => order.post_id === kept.id)?.cancel_requested).toBe(false);
});

test('a post that only fell out of the polls, because 12 newer ones came, is not missed', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const old = deps.network.addPost('ada', { takenAtMs: deps.clock.now() - 1000 });
  await bench.poll();
  for (let count = 0; count < 14; count += 1) {
    deps.clock.advance(1000);
    deps.network.addPost('ada');
  }
  await bench.pollLater();
  await bench.pollLater();
  expect(await bench.post(customer, old.id)).toMatchObject({ missing_polls: 0, deleted_at: null });
});

test('a post that the network still has is kept, and not asked about at every poll', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const post = deps.network.addPost('ada');
  await bench.poll();
  deps.network.deletePost(post.id);
  let asked = 0;
  const readMedia: SocialNetwork['readMedia'] = () => {
    asked += 1;
    return Promise.resolve({ kind: 'exists', usage: undefined });
  };
  const unsure = new DetectionBench({ ...deps, network: { ...deps.network, readMedia } });
  for (let count = 0; count < 8; count += 1) await unsure.pollLater();
  expect(asked).toBe(1);
  expect((await bench.post(customer, post.id)).deleted_at).toBeNull();
});

test('of many posts deleted at once twenty are asked about, the others after the next polls', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  for (let count = 0; count < 22; count += 1) await plantPost(deps, customer, { id: `${count}` });
  const deleted: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    await bench.pollLater();
    const posts = await bench.posts(customer);
    deleted.push(posts.filter(({ deleted_at: at }) => at).length);
  }
  expect(deleted).toEqual([0, 20, 22]);
});

test('where the network does not tell whether a post is gone, it is asked again', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const post = deps.network.addPost('ada');
  await bench.poll();
  deps.network.deletePost(post.id);
  deps.network.queueReadMedia(unreachable);
  await bench.pollLater();
  await bench.pollLater();
  expect((await bench.post(customer, post.id)).deleted_at).toBeNull();
  await bench.pollLater();
  expect((await bench.post(customer, post.id)).deleted_at).not.toBeNull();
});

test('an unreadable account shows so at once, is polled more seldom, and recovers by itself', async () => {
  const account = deps.network.addAccount('ada');
  const customer = await bench.schedule(account);
  const other = await bench.schedule(deps.network.addAccount('bo'));
  await bench.poll();
  deps.network.hideAccount('ada');
  await bench.pollLater();
  expect((await bench.account(customer)).problem).toBe('unreadable');
  expect((await bench.account(other)).problem).toBeNull();
  const calls = deps.network.calls.length;
  for (let count = 0; count < 90; count += 1) await bench.pollLater();
  const since = deps.network.calls.slice(calls);
  expect(since.filter(({ username }) => username === 'ada').length).toBeLessThan(12);

  deps.network.rename('ada', 'gone');
  deps.network.addAccount('ada', { igId: account.igId });
  deps.network.addPost('ada');
  await bench.pollLater(5 * minute);
  expect((await bench.account(customer)).problem).toBeNull();
  expect(await bench.outcomes(customer)).toEqual(['ordered']);
  expect(deps.logged).toEqual([]);
});

test('a poll that failed is taken again after 2 s, then 4; the third failure is shown', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  deps.network.queueRead(unreachable, unreachable, unreachable);
  await bench.poll();
  expect((await bench.account(customer)).problem).toBeNull();
  await bench.pollLater(1999);
  expect((await bench.scheduleRow(customer)).failures).toBe(1);
  await bench.pollLater(1);
  await bench.pollLater(4000);
  expect((await bench.account(customer)).problem).toBe('unreachable');
  await bench.pollLater(8000);
  expect((await bench.account(customer)).problem).toBeNull();
  expect((await bench.scheduleRow(customer)).failures).toBe(0);
});

test('another network account under the same name mixes nothing: unreadable', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const own = deps.network.addPost('ada');
  await bench.poll();
  deps.network.rename('ada', 'ada.old');
  deps.network.addAccount('ada', { followers: 9 });
  deps.network.addPost('ada');
  await bench.pollLater();
  await bench.pollLater();
  expect((await bench.posts(customer)).map(({ id }) => id)).toEqual([own.id]);
  expect(await bench.account(customer)).toMatchObject({
    problem: 'unreadable',
    ig_id: customer.igId,
    followers: 1000,
  });
});

test('words of a profile that the database refuses keep nothing of it from being stored', async () => {
  const account = deps.network.addAccount('ada', { biography: 'a\0b', name: 'Ada\0' });
  const customer = await bench.schedule(account);
  account.followers = 4321;
  await bench.poll();
  expect(await bench.account(customer)).toMatchObject({ followers: 4321, problem: null });
  expect(deps.logged).toEqual([]);
});

test('an account that left the schedule is not polled', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await deps.database.db
    .updateTable('poll_schedule')
    .set({ is_active: false })
    .where('account_id', '=', customer.accountId)
    .execute();
  const calls = deps.network.calls.length;
  await bench.pollLater();
  expect(deps.network.calls).toHaveLength(calls);
});

test('one account that cannot be stored does not keep the others from being stored', async () => {
  const poisoned = await bench.schedule(deps.network.addAccount('poisoned'));
  const healthy = await bench.schedule(deps.network.addAccount('healthy'));
  await bench.poll();
  deps.network.addPost('poisoned', { commentCount: 2 ** 40 });
  deps.network.addPost('healthy');
  await bench.pollLater();
  expect(await bench.orders(healthy)).toHaveLength(1);
  expect(await bench.orders(poisoned)).toHaveLength(0);
  expect(deps.logged.map(({ event }) => event)).toContain('a poll could not be stored');
});
