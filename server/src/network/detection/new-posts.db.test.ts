import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPolling } from '../accounts/poll-schedule.repository.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector } from './detector.ts';
import { postRandom } from '#server/delivery/automatic/automatic-decision.ts';
import { automaticAmount } from '#shared/domain/delivery/automatic-likes.ts';

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

// Shows facts 1.03, 1.05.
test('a new post is detected once and gets one order with its times, amount and slot', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  deps.clock.advance(5000);
  const takenAt = new Date(deps.clock.now());
  const post = deps.network.addPost('ada', { likeCount: 3, commentCount: 1, caption: 'Hi' });
  await bench.pollLater();
  await bench.pollLater();

  const now = new Date('2026-11-20T12:00:25Z');
  expect(await bench.post(customer, post.id)).toMatchObject({
    automatic_outcome: 'ordered',
    detected_at: now,
    taken_at: takenAt,
    like_count: 3,
    comment_count: 1,
    caption: 'Hi',
    image_url: post.imageUrl,
  });
  const amount = automaticAmount(
    50,
    undefined,
    postRandom(deps.settings.appSecret, customer.subscriptionId, post.id),
  );
  const total = amount.ordered + amount.bonus;
  const orders = await bench.orders(customer);
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({
    ...amount,
    kind: 'automatic',
    state: 'Pending',
    subscription_id: customer.subscriptionId,
    ig_id: customer.igId,
    shortcode: post.shortcode,
    local_day: '2026-11-20',
    slot: 1,
    views: 0,
    remains: total,
    posted_at: takenAt,
    detected_at: now,
    start_at: now,
    next_attempt_at: now,
    finish_by: new Date(now.getTime() + Math.max(20_000, total * 600)),
  });
});

// Shows fact 1.13.
test('of five posts in a day the first four get likes and the fifth says why not', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  for (let count = 0; count < 5; count += 1) {
    deps.network.addPost('ada');
    await bench.pollLater();
  }
  expect(await bench.outcomes(customer)).toEqual([...Array(4).fill('ordered'), 'daily_limit']);
  expect((await bench.orders(customer)).map(({ slot }) => slot)).toEqual([1, 2, 3, 4]);

  // The next local day has slots of its own; a cancelled order doesn't free one of this day's.
  await deps.database.db.updateTable('like_order').set({ state: 'Canceled' }).execute();
  deps.network.addPost('ada');
  await bench.pollLater();
  expect(await bench.orders(customer)).toHaveLength(4);
  deps.clock.set('2026-11-21T00:00:01Z');
  deps.network.addPost('ada');
  await bench.pollLater();
  expect((await bench.orders(customer)).at(-1)).toMatchObject({ local_day: '2026-11-21', slot: 1 });
});

test('six posts that one poll sees at once fill the slots in the order they appeared', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  for (let count = 0; count < 6; count += 1) {
    deps.clock.advance(1000);
    deps.network.addPost('ada');
  }
  await bench.pollLater();
  const posts = await bench.posts(customer);
  expect(posts.map((post) => post.automatic_outcome)).toEqual([
    ...Array(4).fill('ordered'),
    ...Array(2).fill('daily_limit'),
  ]);
  expect((await bench.orders(customer)).map((order) => order.post_id)).toEqual(
    posts.slice(0, 4).map((post) => post.id),
  );
});

test('of posts of one second the network’s list tells the older, whatever their ids', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  deps.clock.advance(1000);
  const takenAtMs = deps.clock.now();
  const ids = ['17900', '17500', '17800', '17100', '17600', '17300'];
  for (const id of ids) deps.network.addPost('ada', { id, takenAtMs });
  await bench.pollLater();
  expect((await bench.orders(customer)).map((order) => order.post_id).sort()).toEqual(
    ids.slice(0, 4).sort(),
  );
});

test('a post counts on its day in the zone of the subscription', async () => {
  const zone = { time_zone: 'Pacific/Auckland' };
  deps.clock.set('2026-11-20T10:59:00Z');
  const customer = await bench.schedule(deps.network.addAccount('ada'), zone);
  await bench.poll();
  deps.network.addPost('ada', { takenAtMs: Date.parse('2026-11-20T10:59:59Z') });
  deps.network.addPost('ada', { takenAtMs: Date.parse('2026-11-20T11:00:00Z') });
  await bench.pollLater(90_000);
  expect((await bench.orders(customer)).map((order) => [order.local_day, order.slot])).toEqual([
    ['2026-11-20', 1],
    ['2026-11-21', 1],
  ]);
});

// Shows fact 1.14.
test('posts of the baseline, and those more than 5 minutes older, get no likes', async () => {
  const account = deps.network.addAccount('ada');
  const readAtMs = deps.clock.now();
  const known = deps.network.addPost('ada', { takenAtMs: readAtMs - 1000 });
  const customer = await bench.schedule(account, { baseline_post_ids: [known.id] });
  deps.network.addPost('ada', { takenAtMs: readAtMs - 5 * 60_000 - 1 });
  deps.network.addPost('ada', { takenAtMs: readAtMs - 5 * 60_000 });
  await bench.poll();
  expect(await bench.outcomes(customer)).toEqual([
    'before_subscription',
    'ordered',
    'before_subscription',
  ]);
});

// Shows facts 1.09, 9.04.
test('a video gets as many views as likes, its bonus included', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'), { package: 3 });
  await bench.poll();
  deps.network.addPost('ada', { mediaType: 'VIDEO' });
  await bench.pollLater();
  const [order] = await bench.orders(customer);
  expect(order?.views).toBe((order?.ordered ?? 0) + (order?.bonus ?? 0));
  expect(order?.ordered).toBe(250);
});

const amountOf = (secret: string, post: number) =>
  automaticAmount(1000, undefined, postRandom(secret, '0199a2c4-7a00-7000-8000-1', `${post}`));

// Shows fact 1.07.
test('three posts in ten carry a bonus of 5 to 10 %, the same whenever it is decided', () => {
  const amounts = Array.from({ length: 2000 }, (_, post) => amountOf('a', post));
  const bonuses = amounts.map(({ bonus }) => bonus).filter((bonus) => bonus > 0);
  expect(bonuses.length / amounts.length).toBeCloseTo(0.3, 1);
  expect(Math.min(...bonuses)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...bonuses)).toBeLessThanOrEqual(100);
  expect(amounts).toEqual(Array.from({ length: 2000 }, (_, post) => amountOf('a', post)));
});

test('who knows a post and its plan, but not the server’s secret, can’t tell its bonus', () => {
  const posts = Array.from({ length: 2000 }, (_, post) => post);
  const carrying = posts.filter((post) => amountOf('a', post).bonus > 0);
  const guessed = carrying.filter((post) => amountOf('b', post).bonus > 0);
  // As many as any seven in ten posts would be.
  expect(guessed.length / carrying.length).toBeLessThan(0.4);
});

// Shows fact 2.64.
test('a range is drawn within the plan, without bonus, at the speed of the account', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'), { package: 2 });
  await deps.database.db
    .updateTable('account')
    .set({ range_min: 90, range_max: 400, speed: '2 Hours' })
    .execute();
  await bench.poll();
  for (let count = 0; count < 4; count += 1) deps.network.addPost('ada');
  await bench.pollLater();
  for (const order of await bench.orders(customer)) {
    expect(order.ordered).toBeGreaterThanOrEqual(90);
    expect(order.ordered).toBeLessThanOrEqual(100);
    expect(order.bonus).toBe(0);
    expect(order.finish_by.getTime() - order.start_at.getTime()).toBe(2 * 3_600_000);
  }
});

// Shows fact 2.62.
test('switched off, not paid or ended: the post is shown and says why it has no likes', async () => {
  const now = deps.clock.now();
  const off = await bench.schedule(deps.network.addAccount('off'));
  await deps.database.db.updateTable('account').set({ automatic_likes: false }).execute();
  const paused = await bench.schedule(deps.network.addAccount('paused'), { state: 'Paused' });
  const ended = await bench.schedule(deps.network.addAccount('ended'), { ends_at: new Date(now) });
  const due = await bench.schedule(deps.network.addAccount('due'), { state: 'Past due' });
  await bench.poll();
  for (const name of ['off', 'paused', 'ended', 'due']) deps.network.addPost(name);
  await bench.pollLater();
  expect(await bench.outcomes(off)).toEqual(['switched_off']);
  expect(await bench.outcomes(paused)).toEqual(['no_subscription']);
  expect(await bench.outcomes(ended)).toEqual(['no_subscription']);
  expect(await bench.outcomes(due)).toEqual(['ordered']);
});

test('a post that appeared between the reading of the checkout and its payment gets its likes', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'), { state: 'Canceled' });
  deps.network.addPost('ada');
  await bench.poll();
  expect(await bench.outcomes(customer)).toEqual(['no_subscription']);
  await deps.database.db.updateTable('subscription').set({ state: 'Active' }).execute();
  await deps.database.transaction((tx) =>
    startPolling(tx, { ...customer, igUsername: 'ada', now: new Date(deps.clock.now()) }),
  );
  await bench.pollLater();
  expect(await bench.outcomes(customer)).toEqual(['ordered']);
});

test('two workers that poll at the same time poll each account once', async () => {
  for (let count = 0; count < 60; count += 1) {
    await bench.schedule(deps.network.addAccount(`many${count}`));
  }
  const before = deps.network.calls.length;
  await Promise.all([
    bench.poll(new Detector(deps, servePosts(deps))),
    bench.poll(new Detector(deps, servePosts(deps))),
  ]);
  const names = deps.network.calls.slice(before).map(({ username }) => username);
  expect(names.filter((name) => name.startsWith('many'))).toHaveLength(60);
  expect(new Set(names).size).toBe(names.length);
});

test('what a poll saw that was overtaken by another is dropped', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  deps.network.addPost('ada');
  const held = Promise.withResolvers<void>();
  const slow = new Detector(
    {
      ...deps,
      network: {
        ...deps.network,
        readAccount: async (request) => {
          const outcome = await deps.network.readAccount(request);
          await held.promise;
          return outcome;
        },
      },
    },
    servePosts(deps),
  );
  deps.clock.advance(20_000);
  await slow.round(new AbortController().signal);
  const first = deps.clock.now();
  deps.clock.advance(20_000);
  await bench.poll();
  held.resolve();
  await slow.settled();
  const orders = await bench.orders(customer);
  expect(orders).toHaveLength(1);
  expect(orders[0]?.detected_at.getTime()).toBe(first + 20_000);
  expect(deps.logged).toEqual([]);
});

test('polls that saw the same new post at the same time order its likes once', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  deps.network.addPost('ada');
  deps.clock.advance(20_000);
  const detectors = Array.from({ length: 4 }, () => new Detector(deps, servePosts(deps)));
  for (const detector of detectors) {
    await detector.round(new AbortController().signal);
    await deps.database.db
      .updateTable('poll_schedule')
      .set({ next_poll_at: new Date(deps.clock.now()) })
      .execute();
  }
  await Promise.all(detectors.map((detector) => detector.settled()));
  await bench.poll();
  expect(await bench.orders(customer)).toHaveLength(1);
});
