import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { TestDeps } from '#test/test-deps.ts';
import { receiveEvents } from './provider-news.service.ts';

let bench: DeliveryBench;
let deps: TestDeps;
beforeAll(async () => {
  bench = await openDeliveryBench();
  ({ deps } = bench);
});
afterAll(() => deps.database.close());
beforeEach(() => bench.clear());

const minute = 60_000;

test('an order is placed under its own id, bonus included, and followed to its end', async () => {
  const id = await bench.newOrder({ ordered: 20, bonus: 2, views: 22 });
  expect(await bench.place()).toBe('idle');
  expect(deps.provider.orders.get(id)).toMatchObject({ likes: 22, views: 22, ref: id });
  expect(await bench.order(id)).toMatchObject({ state: 'Processing', remains: 22, attempts: 1 });

  deps.clock.advance(2000);
  deps.provider.advance(id, { status: 'In progress', delivered: 5, views: 5, startCount: 40 });
  await bench.poll();
  const started = new Date(deps.clock.now());
  expect(await bench.order(id)).toMatchObject({
    state: 'In progress',
    delivered: 5,
    views_delivered: 5,
    remains: 17,
    start_count: 40,
    started_at: started,
    finished_at: null,
  });

  deps.clock.advance(2000);
  deps.provider.complete(id);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({
    state: 'Completed',
    delivered: 22,
    views_delivered: 22,
    remains: 0,
    reason: null,
    started_at: started,
    finished_at: new Date(deps.clock.now()),
    next_attempt_at: null,
  });
  expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
  expect(await bench.poll()).toBe('idle');
});

test('nothing is claimed twice while a lease runs, and everything again after it', async () => {
  const id = await bench.newOrder({ finish_by: new Date(deps.clock.now() + 10 * minute) });
  const { provider } = deps;
  const held = Promise.withResolvers<void>();
  const slow = {
    placeOrders: async (...request: Parameters<typeof provider.placeOrders>) => {
      const outcome = await provider.placeOrders(...request);
      await held.promise;
      return outcome;
    },
  };
  const stuck = bench.place({ provider: slow });
  await expect.poll(() => provider.orders.has(id)).toBe(true);
  expect(await bench.place()).toBe('idle');
  deps.clock.advance(30_000);
  expect(await bench.place()).toBe('idle');
  expect(await bench.order(id)).toMatchObject({ state: 'Processing', attempts: 2, fence: 2 });
  held.resolve();
  await stuck;
  expect(await bench.order(id)).toMatchObject({ state: 'Processing', attempts: 2, fence: 2 });
  expect(await bench.effects(id)).toEqual(['placed']);
});

test('an answer that comes after the order was finished by somebody else puts nothing back', async () => {
  const id = await bench.newOrder();
  const { provider } = deps;
  const late = {
    placeOrders: async (...request: Parameters<typeof provider.placeOrders>) => {
      const outcome = await provider.placeOrders(...request);
      await receiveEvents(deps, [provider.complete(id)]);
      return outcome;
    },
  };
  await bench.place({ provider: late });
  expect(await bench.order(id)).toMatchObject({
    state: 'Completed',
    remains: 0,
    next_attempt_at: null,
  });
  expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
});

test('without an answer an order stays pending with the same content and is placed once', async () => {
  const id = await bench.newOrder();
  deps.provider.loseAnswers(1);
  expect(await bench.place()).toBe('unavailable');
  const waiting = await bench.order(id);
  expect(waiting).toMatchObject({ state: 'Pending', attempts: 1 });
  expect(waiting.next_attempt_at?.getTime()).toBeGreaterThan(deps.clock.now());
  deps.clock.advance(1000);
  expect(await bench.place()).toBe('idle');
  expect(await bench.order(id)).toMatchObject({
    state: 'Processing',
    finish_by: waiting.finish_by,
  });
  expect(await bench.effects(id)).toEqual(['placed']);
  expect(deps.logged).toMatchObject([{ event: 'provider unavailable', fields: { count: 1 } }]);
});

test('while the provider is down, or talks nonsense, the pauses grow to ten seconds and nothing is lost', async () => {
  const ids = [await bench.newOrder(), await bench.newOrder()];
  const pausesMs: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const reason = round % 2 === 0 ? 'unexpected_answer' : 'http_503';
    deps.provider.queueFailure({ kind: 'unavailable', reason });
    expect(await bench.place()).toBe('unavailable');
    const rows = await Promise.all(ids.map((id) => bench.order(id)));
    const dueMs = Math.max(...rows.map((row) => row.next_attempt_at?.getTime() ?? 0));
    pausesMs.push(dueMs - deps.clock.now());
    deps.clock.advance(dueMs - deps.clock.now());
  }
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(10_000);
  expect(pausesMs.at(-1)).toBeGreaterThanOrEqual(5000);
  await bench.place();
  for (const id of ids) {
    expect(await bench.order(id)).toMatchObject({ state: 'Processing' });
    expect(await bench.effects(id)).toEqual(['placed']);
  }
});

test('a provider that refuses our request is reported as an error, and the order waits', async () => {
  const id = await bench.newOrder();
  deps.provider.queueFailure({ kind: 'rejected', status: 401 });
  expect(await bench.place()).toBe('unavailable');
  expect(await bench.order(id)).toMatchObject({ state: 'Pending' });
  expect(deps.logged).toMatchObject([
    { severity: 'error', event: 'provider refused our request', fields: { status: 401 } },
  ]);
});

test('a delayed first start moves the end with it', async () => {
  const id = await bench.newOrder();
  const { start_at: startAt } = await bench.order(id);
  deps.clock.advance(5 * minute);
  await bench.place();
  const placed = await bench.order(id);
  expect(placed.start_at.getTime() - startAt.getTime()).toBe(5 * minute);
  expect(placed.finish_by.getTime() - placed.start_at.getTime()).toBe(20_000);
  expect(deps.provider.orders.get(id)?.finishBy).toBe(placed.finish_by.toISOString());
});

test('an order that never arrived gets a new start when its time is half gone', async () => {
  const id = await bench.newOrder();
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'connection' });
  await bench.place();
  deps.clock.advance(11_000);
  await bench.place();
  const placed = await bench.order(id);
  expect(placed.start_at.getTime()).toBe(deps.clock.now());
  expect(placed.finish_by.getTime() - placed.start_at.getTime()).toBe(20_000);
  expect(deps.provider.orders.get(id)?.startAt).toBe(placed.start_at.toISOString());
});

test('an order that never arrived keeps its start while half of its time is left', async () => {
  const id = await bench.newOrder();
  const { start_at: startAt } = await bench.order(id);
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'connection' });
  await bench.place();
  deps.clock.advance(9000);
  await bench.place();
  expect(await bench.order(id)).toMatchObject({ state: 'Processing', start_at: startAt });
});

test('an order that did arrive keeps its start, however late we learn of it', async () => {
  const id = await bench.newOrder();
  deps.provider.loseAnswers(1);
  await bench.place();
  const sent = deps.provider.orders.get(id);
  deps.provider.advance(id, { status: 'In progress', delivered: 9 });
  deps.clock.advance(5 * minute);
  await bench.place();
  expect(deps.provider.orders.get(id)).toEqual(sent);
  expect(await bench.order(id)).toMatchObject({ state: 'In progress', delivered: 9 });
  expect(await bench.effects(id)).toEqual(['placed', 'started']);
});

test('a first attempt that arrives between the question and the second one is found and followed', async () => {
  const id = await bench.newOrder();
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'time_out' });
  await bench.place();
  const first = await bench.order(id);
  deps.clock.advance(5 * minute);
  const { provider } = deps;
  const overtaking = {
    placeOrders: async (orders: Parameters<typeof provider.placeOrders>[0]) => {
      const early = orders.map((sent) => ({
        ...sent,
        startAt: first.start_at.toISOString(),
        finishBy: first.finish_by.toISOString(),
      }));
      await provider.placeOrders(early);
      return provider.placeOrders(orders);
    },
  };
  await bench.place({ provider: overtaking });
  expect(await bench.order(id)).toMatchObject({ state: 'Processing', provider_seq: 1 });
  expect(await bench.effects(id)).toEqual(['placed']);
});

test.each(['media_gone', 'no_members', 'invalid_order'] as const)(
  'an order refused with %s is canceled with everything left',
  async (reason) => {
    const id = await bench.newOrder();
    deps.provider.refuseMedia((await bench.order(id)).post_id, reason);
    await bench.place();
    expect(await bench.order(id)).toMatchObject({
      state: 'Canceled',
      reason,
      delivered: 0,
      remains: 20,
      finished_at: new Date(deps.clock.now()),
      next_attempt_at: null,
    });
    expect(await bench.effects(id)).toEqual(['refused', 'finished']);
    expect(await bench.place()).toBe('idle');
  },
);

test('one refused order does not hold up the others of its batch', async () => {
  const [bad, good] = [await bench.newOrder(), await bench.newOrder()];
  deps.provider.refuseMedia((await bench.order(bad)).post_id, 'no_members');
  await bench.place();
  expect((await bench.order(bad)).state).toBe('Canceled');
  expect((await bench.order(good)).state).toBe('Processing');
});

test('250 orders go out in batches of at most 100, each once', async () => {
  const ids = await Promise.all(Array.from({ length: 250 }, () => bench.newOrder()));
  expect([await bench.place(), await bench.place(), await bench.place()]).toEqual([
    'again',
    'again',
    'idle',
  ]);
  const sizes = deps.provider.calls
    .filter((each) => each.call === 'placeOrders')
    .slice(-3)
    .map(({ orders }) => orders.length);
  expect(sizes).toEqual([100, 100, 50]);
  expect(ids.every((id) => deps.provider.orders.has(id))).toBe(true);
});

test('two workers at once share the work without overlap', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => bench.newOrder()));
  const calls = deps.provider.calls.length;
  await Promise.all([bench.place({ batch: 20 }), bench.place({ batch: 20 })]);
  const refs = deps.provider.calls
    .slice(calls)
    .flatMap((each) => (each.call === 'placeOrders' ? each.orders.map(({ ref }) => ref) : []));
  expect(refs.toSorted()).toEqual(ids.toSorted());
});
