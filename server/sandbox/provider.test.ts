import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutsideWorld } from './outside-world.fake.ts';
import { createOutsideWorld } from './outside-world.fake.ts';
import type { ProviderPart } from './provider.ts';
import { registerProvider } from './provider.ts';
import { orderFor, providerClient } from './provider/provider-client.fake.ts';

let world: OutsideWorld;
let provider: ProviderPart;
let client: ReturnType<typeof providerClient>;

beforeEach(() => {
  world = createOutsideWorld();
  provider = registerProvider(world.app, world.ctx, { tickMs: 0 });
  client = providerClient(world);
});

afterEach(() => world.drop());

/** Lets time pass in steps of the scheduler. */
function pass(seconds: number, stepMs = 1000): void {
  for (let passed = 0; passed < seconds * 1000; passed += stepMs) {
    world.clock.nowMs += stepMs;
    provider.tick();
  }
}

test('an order is spread over its time and ends complete, each like from another member', async () => {
  const media = world.post({ organicLikes: 7 });
  expect(await client.place(orderFor(world, media))).toEqual(['accepted']);
  expect(await client.progress('order-1')).toMatchObject([
    { status: 'Pending', seq: 1, startCount: null, delivered: 0, remains: 100 },
  ]);
  provider.tick();
  expect(await client.progress('order-1')).toMatchObject([
    { status: 'Processing', seq: 2, startCount: 7 },
  ]);
  pass(300);
  const [half] = await client.progress('order-1');
  expect(half?.status).toBe('In progress');
  expect(half?.delivered).toBeGreaterThan(20);
  expect(half?.delivered).toBeLessThan(80);
  pass(300);
  expect(await client.progress('order-1')).toMatchObject([
    { status: 'Completed', startCount: 7, delivered: 100, views: 0, remains: 0 },
  ]);
  expect(world.ctx.media.get(media.id)).toMatchObject({ organicLikes: 7, memberLikes: 100 });
  expect(world.ctx.media.countDistinctMembers(media.id)).toBe(100);
  expect(await client.book()).toMatchObject([
    { ref: 'order-1', seen: 1, ordered: 100, delivered: 100, distinctMembers: 100 },
  ]);
});

test('the same ref again gives the same answer and no more likes', async () => {
  const media = world.post();
  const order = orderFor(world, media);
  await client.place(order, order);
  pass(60);
  expect(await client.place(order)).toEqual(['accepted']);
  pass(600);
  expect(await client.place(order)).toEqual(['accepted']);
  pass(600);
  expect(world.ctx.media.get(media.id).memberLikes).toBe(100);
  expect(await client.book()).toMatchObject([{ seen: 4, delivered: 100 }]);
});

test('the same ref with another content is a conflict and changes nothing', async () => {
  const media = world.post();
  await client.place(orderFor(world, media));
  expect(await client.place(orderFor(world, media, { likes: 200 }))).toEqual(['conflict']);
  pass(700);
  expect(await client.book()).toMatchObject([{ seen: 1, ordered: 100, delivered: 100 }]);
});

test('a refusal stands, also when its reason has passed', async () => {
  const media = world.post();
  await client.setMembers(0);
  expect(await client.place(orderFor(world, media))).toEqual(['no_members']);
  await client.setMembers(500);
  expect(await client.place(orderFor(world, media))).toEqual(['no_members']);
  expect(await client.progress('order-1')).toEqual([]);
});

test('an order that makes no sense is refused without holding up the others', async () => {
  const media = world.post();
  const wrong = (ref: string, change: object) => orderFor(world, media, { ref, ...change });
  const answers = await client.place(
    wrong('gone', { mediaId: '17900000000000009' }),
    wrong('other-account', { igId: '17841400000000009' }),
    wrong('no-likes', { likes: 0 }),
    wrong('views-on-a-picture', { views: 5 }),
    wrong('ends-before-it-starts', { finishBy: '2026-11-20T11:00:00Z' }),
    wrong('no-time', { startAt: 'soon' }),
    wrong('right', {}),
  );
  expect(answers).toEqual([
    'media_gone',
    ...Array.from({ length: 5 }, () => 'invalid_order'),
    'accepted',
  ]);
});

test('a video gets its views beside the likes', async () => {
  const media = world.post({ mediaType: 'VIDEO', organicViews: 3 });
  await client.place(orderFor(world, media, { views: 100 }));
  pass(300);
  const [half] = await client.progress('order-1');
  expect(half?.views).toBe(half?.delivered);
  pass(300);
  expect(await client.progress('order-1')).toMatchObject([{ delivered: 100, views: 100 }]);
  expect(world.ctx.media.get(media.id)).toMatchObject({ organicViews: 3, memberViews: 100 });
});

test('hidden likes leave the start count unknown', async () => {
  const media = world.post({ isLikesHidden: true, organicLikes: 7 });
  await client.place(orderFor(world, media));
  pass(700);
  expect(await client.progress('order-1')).toMatchObject([
    { status: 'Completed', startCount: null, delivered: 100 },
  ]);
});

test('two orders for one post come from members that differ', async () => {
  const media = world.post();
  await client.setMembers(250);
  await client.place(orderFor(world, media), orderFor(world, media, { ref: 'order-2' }));
  pass(700);
  expect(world.ctx.media.countDistinctMembers(media.id)).toBe(200);
  expect(await client.progress('order-1', 'order-2')).toMatchObject([
    { delivered: 100, startCount: 0 },
    { delivered: 100, startCount: 0 },
  ]);
});

test('when the members run out the order ends partial', async () => {
  const media = world.post();
  await client.setMembers(40);
  await client.place(orderFor(world, media));
  pass(700);
  expect(await client.progress('order-1')).toMatchObject([
    { status: 'Partial', delivered: 40, remains: 60 },
  ]);
  expect(await client.place(orderFor(world, media, { ref: 'order-2' }))).toEqual(['no_members']);
});

test('members that join later may still like what the others did not', async () => {
  const media = world.post();
  await client.setMembers(40);
  await client.place(orderFor(world, media));
  pass(700);
  await client.setMembers(70);
  await client.place(orderFor(world, media, { ref: 'order-2' }));
  pass(700);
  expect(await client.progress('order-2')).toMatchObject([{ status: 'Partial', delivered: 30 }]);
  expect(world.ctx.media.countDistinctMembers(media.id)).toBe(70);
});

test('when the hour’s capacity does not suffice the order ends partial at its deadline', async () => {
  const media = world.post();
  await client.setMembers(20_000, 120);
  await client.place(orderFor(world, media));
  pass(599);
  expect(await client.progress('order-1')).toMatchObject([{ status: 'In progress' }]);
  const capacity = await client.call('GET', '/provider/v1/capacity');
  expect(((await capacity.json()) as { backlogMinutes: number }).backlogMinutes).toBeGreaterThan(9);
  pass(1);
  const [order] = await client.progress('order-1');
  expect(order?.status).toBe('Partial');
  // Two a minute for ten minutes, and the two that the bucket held.
  expect(order?.delivered).toBeGreaterThanOrEqual(20);
  expect(order?.delivered).toBeLessThanOrEqual(22);
});

test('scarce capacity is shared: no order waits until another is done', async () => {
  const one = world.post();
  const two = world.post();
  await client.setMembers(20_000, 600);
  await client.place(orderFor(world, one), orderFor(world, two, { ref: 'order-2' }));
  pass(300);
  const delivered = (await client.progress('order-1', 'order-2')).map((order) => order.delivered);
  expect(Math.min(...delivered)).toBeGreaterThan(10);
});

test('a post deleted in the middle ends its order partial, before any like canceled', async () => {
  const begun = world.post();
  const fresh = world.post();
  const later = new Date(world.clock.nowMs + 500_000).toISOString();
  await client.place(
    orderFor(world, begun),
    orderFor(world, fresh, { ref: 'order-2', startAt: later }),
  );
  pass(300);
  world.ctx.media.delete(begun.id);
  world.ctx.media.delete(fresh.id);
  pass(1);
  const [first, second] = await client.progress('order-1', 'order-2');
  expect(first?.status).toBe('Partial');
  expect(first?.remains).toBe(100 - (first?.delivered ?? 0));
  expect(second).toMatchObject({ status: 'Canceled', delivered: 0 });
  pass(700);
  expect((await client.progress('order-1'))[0]).toEqual(first);
});

test('a cancelled order stops at once and stays as it is', async () => {
  const media = world.post();
  await client.place(orderFor(world, media), orderFor(world, media, { ref: 'order-2' }));
  expect(await client.cancel('order-2', 'unknown')).toMatchObject([
    { ref: 'order-2', status: 'Canceled' },
  ]);
  pass(300);
  const [canceled] = await client.cancel('order-1');
  expect(canceled?.status).toBe('Partial');
  pass(600);
  expect(await client.cancel('order-1')).toEqual([canceled]);
  expect(world.ctx.media.get(media.id).memberLikes).toBe(canceled?.delivered);
});

test('the number of a report rises with every change and with nothing else', async () => {
  const media = world.post();
  await client.place(orderFor(world, media));
  let before = await client.progress('order-1');
  for (let second = 0; second < 700; second += 1) {
    pass(1);
    const now = await client.progress('order-1');
    const isSame = JSON.stringify(now) === JSON.stringify(before);
    expect((now[0]?.seq ?? 0) > (before[0]?.seq ?? 0)).toBe(!isSame);
    before = now;
  }
});

test('killed in the middle and started again, it resumes exactly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  world.drop();
  const statePath = join(folder, 'state.db');
  let nowMs = Date.parse('2026-11-20T12:00:00Z');
  const restart = (): void => {
    world = createOutsideWorld({ statePath, nowMs });
    provider = registerProvider(world.app, world.ctx, { tickMs: 0 });
    client = providerClient(world);
  };
  restart();
  const media = [1, 2, 3].map(() => world.post());
  const orders = media.map((each, index) => orderFor(world, each, { ref: `order-${index}` }));
  await client.place(...orders);
  for (let start = 0; start < 8; start += 1) {
    pass(60);
    nowMs = world.clock.nowMs;
    world.drop();
    restart();
    await client.place(...orders);
  }
  pass(300);
  for (const entry of await client.book()) {
    expect(entry).toMatchObject({ seen: 9, status: 'Completed', delivered: 100 });
    expect(entry.distinctMembers).toBe(100);
    expect(world.ctx.media.get(entry.mediaId).memberLikes).toBe(100);
  }
  rmSync(folder, { recursive: true });
});

test('what should have been given while the network was away is given afterwards', async () => {
  const media = world.post();
  await client.place(orderFor(world, media));
  pass(60);
  world.clock.nowMs += 3_600_000;
  pass(2);
  expect(await client.progress('order-1')).toMatchObject([{ status: 'Completed', delivered: 100 }]);
});

test('a tick gives a bounded number of likes, so that it never takes long', async () => {
  const media = world.post();
  await client.place(orderFor(world, media, { likes: 10_000 }));
  provider.tick();
  world.clock.nowMs += 600_000;
  provider.tick();
  const [order] = await client.progress('order-1');
  expect(order?.delivered).toBeGreaterThan(0);
  expect(order?.delivered).toBeLessThanOrEqual(600);
  pass(10, 250);
  expect(await client.progress('order-1')).toMatchObject([{ status: 'Completed' }]);
});
