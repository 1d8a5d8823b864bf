import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SandboxDetectionBench } from '#test/delivery/sandbox-detection-bench.ts';
import { readNetworkAccount } from '../allowance/network-reader.ts';

/** Every scenario of accounts and posts that the sandbox's network plays, and how it ends here. */
let bench: SandboxDetectionBench;
beforeAll(async () => {
  bench = await SandboxDetectionBench.open();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.clear();
  bench.deps.logged.length = 0;
});
afterEach(() => bench.control('DELETE', 'faults'));

const errors = () => bench.deps.logged.filter(({ severity }) => severity === 'error');
const minute = 60_000;

test('image: detected, with its likes ordered', async () => {
  const customer = await bench.connect();
  const post = await bench.detect(customer, { caption: 'Sunset', mediaType: 'IMAGE' });
  expect(post).toMatchObject({
    media_type: 'IMAGE',
    caption: 'Sunset',
    like_count: 0,
    automatic_outcome: 'ordered',
  });
  expect(post.image_url).toContain(bench.url);
  expect(await bench.orders(customer)).toMatchObject([{ post_id: post.id, views: 0, slot: 1 }]);
});

test('carousel: one post, its first picture, likes ordered once', async () => {
  const customer = await bench.connect();
  const post = await bench.detect(customer, { mediaType: 'CAROUSEL_ALBUM' });
  expect(post.media_type).toBe('CAROUSEL_ALBUM');
  expect(post.image_url).toContain('/cdn/');
  expect(await bench.orders(customer)).toHaveLength(1);
});

test('reel without media_url: likes and as many views, no picture of the network', async () => {
  const customer = await bench.connect();
  const post = await bench.detect(customer, { mediaType: 'VIDEO', withoutMediaUrl: true });
  expect(post).toMatchObject({ media_type: 'VIDEO', image_url: null });
  expect(post.permalink).toContain('/reel/');
  const [order] = await bench.orders(customer);
  expect(order?.views).toBe((order?.ordered ?? 0) + (order?.bonus ?? 0));
});

test('hidden likes: null, never 0', async () => {
  const customer = await bench.connect();
  const post = await bench.detect(customer, { hideLikes: true });
  expect(post).toMatchObject({ like_count: null, automatic_outcome: 'ordered' });
  await bench.control('PATCH', `posts/${post.id}`, { hideLikes: false, organicLikes: 4 });
  await bench.pollLater();
  expect((await bench.post(customer, post.id)).like_count).toBe(4);
});

test('three pages with an empty middle one: the whole history is stored', async () => {
  const customer = await bench.connect({ posts: 60 });
  await bench.play('empty_middle_page');
  expect(await bench.importHistory(customer)).toMatchObject({ kind: 'finished', pages: 4 });
  expect(await bench.posts(customer)).toHaveLength(60);
});

test('a cursor that went invalid: the history starts over', async () => {
  const customer = await bench.connect({ posts: 60 });
  await bench.play('cursor_invalid', { times: 2 });
  expect(await bench.importHistory(customer)).toMatchObject({ kind: 'finished' });
  expect(await bench.posts(customer)).toHaveLength(60);
  expect(errors()).toEqual([]);
});

test('a new post after t seconds: not before, and with its own time', async () => {
  const customer = await bench.connect();
  const id = await bench.upload(customer, { afterSeconds: 30 });
  await bench.pollLater();
  expect(await bench.posts(customer)).toEqual([]);
  await bench.pollLater();
  const { taken_at: takenAt, detected_at: detectedAt } = await bench.post(customer, id);
  expect((detectedAt?.getTime() ?? 0) - takenAt.getTime()).toBe(10_000);
});

test('five posts in one day: four orders, and the fifth says why it has none', async () => {
  bench.deps.clock.set('2026-11-21T01:00:00Z');
  const customer = await bench.connect();
  for (let count = 0; count < 5; count += 1) await bench.detect(customer);
  expect(await bench.outcomes(customer)).toEqual([...Array(4).fill('ordered'), 'daily_limit']);
  expect(await bench.orders(customer)).toHaveLength(4);
});

test('post deleted mid-delivery (100/33): its order is to stop, the others go on', async () => {
  bench.deps.clock.set('2026-11-22T01:00:00Z');
  const customer = await bench.connect();
  const gone = await bench.detect(customer);
  const kept = await bench.detect(customer);
  await bench.deps.database.db.updateTable('like_order').set({ state: 'In progress' }).execute();
  await bench.control('DELETE', `posts/${gone.id}`);
  await bench.pollLater();
  await bench.pollLater();
  expect((await bench.post(customer, gone.id)).deleted_at).not.toBeNull();
  expect((await bench.post(customer, kept.id)).deleted_at).toBeNull();
  const stopped = (await bench.orders(customer)).map((order) => order.cancel_requested);
  expect(stopped).toEqual([true, false]);
});

test('account renamed: unreadable with its posts kept, and well again when it is renamed back', async () => {
  const customer = await bench.connect({ posts: 2 });
  await bench.control('POST', `accounts/${customer.igUsername}/rename`, {
    username: 'renamed.away',
  });
  await bench.pollLater();
  expect((await bench.account(customer)).problem).toBe('unreadable');
  expect(await bench.posts(customer)).toHaveLength(2);
  await bench.control('POST', 'accounts/renamed.away/rename', { username: customer.igUsername });
  await bench.pollLater(minute);
  expect((await bench.account(customer)).problem).toBeNull();
});

test.for(['personal', 'private', 'age_gated'])(
  '%s account: unreadable, no outage',
  async (kind) => {
    const customer = await bench.connect({ kind });
    expect((await bench.account(customer)).problem).toBe('unreadable');
    expect(bench.deps.logged).toEqual([]);
    await bench.control('PATCH', `accounts/${customer.igUsername}`, { kind: 'business' });
    await bench.pollLater();
    expect((await bench.account(customer)).problem).toBeNull();
  },
);

test('image 403 after oe: the account read again has an address that works', async () => {
  await bench.play('short_image_urls', { seconds: 2 });
  const customer = await bench.connect({ posts: 1 });
  const [post] = await bench.posts(customer);
  const stored = post?.image_url ?? '';
  expect((await fetch(stored)).status).toBe(200);
  bench.deps.clock.advance(10_000);
  expect((await fetch(stored)).status).toBe(403);
  const reading = await readNetworkAccount(bench.deps, {
    username: customer.igUsername,
    limit: 12,
  });
  const fresh = reading.kind === 'read' ? (reading.posts[0]?.imageUrl ?? '') : '';
  expect((await fetch(fresh)).status).toBe(200);
});

test('ids beyond 2^53 stay what they are', async () => {
  const customer = await bench.connect();
  const { id } = await bench.detect(customer);
  expect(BigInt(id)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(BigInt(customer.igId)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  const [order] = await bench.orders(customer);
  expect(order).toMatchObject({ post_id: id, ig_id: customer.igId });
});

test('a pinned old post on top hides no new one, and nothing between is missed', async () => {
  const customer = await bench.connect({ posts: 20 });
  await bench.upload(customer, { pinned: true, timestamp: '2024-01-01T00:00:00Z' });
  await bench.pollLater();
  const post = await bench.detect(customer);
  await bench.pollLater();
  expect(post.automatic_outcome).toBe('ordered');
  expect(await bench.orders(customer)).toHaveLength(1);
  const posts = await bench.posts(customer);
  expect(posts[0]?.automatic_outcome).toBe('before_subscription');
  expect(posts.every((each) => each.missing_polls === 0 && each.deleted_at === null)).toBe(true);
});
