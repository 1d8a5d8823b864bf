import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { TestDeps } from '#test/test-deps.ts';

let bench: DeliveryBench;
let deps: TestDeps;
beforeAll(async () => {
  bench = await openDeliveryBench();
  ({ deps } = bench);
});
afterAll(() => deps.database.close());
beforeEach(() => bench.clear());

const minute = 60_000;

test('a provider that runs out of members leaves the order partial, the rest recorded', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(2000);
  deps.provider.advance(id, { status: 'Partial', delivered: 13 });
  expect(await bench.poll()).toBe('idle');
  expect(await bench.order(id)).toMatchObject({
    state: 'Partial',
    delivered: 13,
    remains: 7,
    reason: 'ended_early',
  });
});

test('a stopped order that was never tried ends without a call', async () => {
  const id = await bench.newOrder();
  expect(await bench.stop(id, 'stopped')).toBe(1);
  const calls = deps.provider.calls.length;
  expect(await bench.place()).toBe('idle');
  await bench.poll();
  expect(deps.provider.calls).toHaveLength(calls);
  expect(await bench.order(id)).toMatchObject({
    state: 'Canceled',
    reason: 'stopped',
    remains: 20,
  });
  expect(await bench.effects(id)).toEqual(['finished']);
});

test('an order stopped in the middle keeps what was delivered', async () => {
  const id = await bench.placedOrder();
  deps.provider.advance(id, { status: 'In progress', delivered: 8 });
  await bench.stop(id);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({
    state: 'Partial',
    delivered: 8,
    remains: 12,
    reason: 'post_deleted',
  });
  expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
  expect(await bench.stop(id)).toBe(0);
});

test('a stop that the provider does not hear is repeated until it does', async () => {
  const id = await bench.placedOrder();
  await bench.stop(id);
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'http_503' });
  expect(await bench.poll()).toBe('unavailable');
  expect(await bench.order(id)).toMatchObject({ state: 'Processing' });
  deps.clock.advance(5000);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Canceled', reason: 'post_deleted' });
});

test('an order the provider gave no answer about is asked for again after some two seconds', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(2000);
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'http_503' });
  expect(await bench.poll()).toBe('unavailable');
  const { next_attempt_at: nextAt } = await bench.order(id);
  const pauseMs = (nextAt?.getTime() ?? 0) - deps.clock.now();
  expect(pauseMs).toBeGreaterThanOrEqual(2250);
  expect(pauseMs).toBeLessThanOrEqual(2500);
});

test('an order stopped while its placing has no answer is stopped at the provider', async () => {
  const id = await bench.newOrder();
  deps.provider.loseAnswers(1);
  await bench.place();
  await bench.stop(id);
  await bench.poll();
  expect(deps.provider.calls.at(-1)).toEqual({ call: 'cancelOrders', refs: [id] });
  expect(await bench.order(id)).toMatchObject({ state: 'Canceled', reason: 'post_deleted' });
  expect(await bench.effects(id)).toEqual(['placed', 'finished']);
});

test('an order that may still arrive is not called canceled before it provably cannot', async () => {
  const id = await bench.newOrder();
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'time_out' });
  await bench.place();
  await bench.stop(id);
  await bench.poll();
  const open = await bench.order(id);
  expect(open).toMatchObject({ state: 'Pending', finished_at: null });
  expect(open.next_attempt_at?.getTime()).toBeGreaterThan(deps.clock.now());
  deps.clock.advance(5 * minute);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Pending', finished_at: null });
  deps.clock.advance(2 * minute);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Canceled', reason: 'post_deleted' });
  expect(await bench.effects(id)).toEqual(['finished']);
});

test('how late an order may still arrive is the provider’s to say', async () => {
  const id = await bench.newOrder();
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'time_out' });
  await bench.place();
  await bench.stop(id);
  deps.clock.advance(10 * minute);
  await bench.poll({ provider: { lastArrivalMs: 20 * minute } });
  expect(await bench.order(id)).toMatchObject({ state: 'Pending', finished_at: null });
  deps.clock.advance(12 * minute);
  await bench.poll({ provider: { lastArrivalMs: 20 * minute } });
  expect(await bench.order(id)).toMatchObject({ state: 'Canceled' });
});

test('a stop overtakes the worker that is placing the order', async () => {
  const id = await bench.newOrder();
  const { provider } = deps;
  const stopped = {
    placeOrders: async (...request: Parameters<typeof provider.placeOrders>) => {
      const outcome = await provider.placeOrders(...request);
      await bench.stop(id);
      return outcome;
    },
  };
  await bench.place({ provider: stopped });
  expect(await bench.order(id)).toMatchObject({ state: 'Pending', cancel_requested: true });
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Canceled', reason: 'post_deleted' });
  expect(await bench.effects(id)).toEqual(['placed', 'finished']);
});

test('an order long past its end is reported and asked for on and on', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(60 * minute);
  await bench.poll();
  deps.clock.advance(minute);
  await bench.poll();
  expect(deps.logged).toMatchObject([{ severity: 'error', fields: { count: 1, orderId: id } }]);
  deps.clock.advance(minute);
  deps.provider.complete(id);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Completed' });
});

test('an order that ended while nothing ran here is not reported as late', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(8 * 60 * minute);
  deps.provider.complete(id);
  await bench.poll();
  expect(await bench.order(id)).toMatchObject({ state: 'Completed' });
  expect(deps.logged).toEqual([]);
});

test('an order the provider took and no longer knows is reported and kept', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(2000);
  const forgetful = {
    readProgress: async () => ({ kind: 'answered' as const, answer: [] }),
  };
  await bench.poll({ provider: forgetful });
  expect(await bench.order(id)).toMatchObject({ state: 'Processing' });
  expect((await bench.order(id)).next_attempt_at?.getTime()).toBeGreaterThan(deps.clock.now());
  expect(deps.logged).toMatchObject([{ severity: 'error', fields: { count: 1, orderId: id } }]);
});

test('an answer that can’t be read because of one order holds up that order only', async () => {
  const [bad, good] = [await bench.placedOrder(), await bench.placedOrder()];
  const provider: Pick<typeof deps.provider, 'readProgress'> = {
    readProgress: (refs, signal) =>
      refs.includes(bad)
        ? Promise.resolve({ kind: 'unreadable' })
        : deps.provider.readProgress(refs, signal),
  };
  deps.provider.advance(good, { delivered: 4 });
  deps.clock.advance(60_000);
  // Answered, so that it isn't paused as while there is no answer.
  expect(await bench.poll({ provider })).toBe('idle');
  expect(await bench.order(good)).toMatchObject({ delivered: 4 });
  expect(await bench.order(bad)).toMatchObject({ delivered: 0, state: 'Processing' });
});
