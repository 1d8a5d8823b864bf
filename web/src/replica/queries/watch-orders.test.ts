import { expect, test } from 'vitest';
import { orderExample } from '#web/testing/examples.ts';
import { applyRows } from '../store/apply-rows.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { heldFrom } from '../queries/older-posts.ts';
import { putScope } from '../store/scope-state.ts';
import { createOrderReading, readNewestOrders } from './watch-orders.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const at = (day: string): string => `2026-11-${day}T09:00:00.000Z`;
const ms = (day: string): number => Date.parse(at(day));
/** The id of an order that was made on a day: its first 48 bits are the time. */
function madeOn(day: string): string {
  const time = ms(day).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** A replica with an order a day, and with `more` on the server than it holds. */
async function copyWith(more?: Record<string, string>, complete = ['post', 'order']) {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    const state = { scope: SCOPE, generation: 1, complete, loading: null };
    await putScope(tx, more ? { ...state, more } : state);
    const place = { scope: SCOPE, entity: 'order', generation: 1 };
    const rows = ['10', '15', '20'].map((day) => {
      const igId = day === '15' ? '2' : '1';
      const row = orderExample({ id: madeOn(day), igId, detectedAt: at(day) });
      return { id: row.id, v: 1, row };
    });
    await applyRows(tx, place, rows);
  });
  return (igId: string | undefined, fromMs: number) =>
    store.read((tx) => readNewestOrders(tx, { igId, fromMs }));
}

test('the newest orders of an account, or of all, are all there since a moment', async () => {
  const read = await copyWith();
  const days = (newest: Awaited<ReturnType<typeof read>>) =>
    newest?.orders.map(({ detectedAt }) => detectedAt.slice(8, 10));
  expect(days(await read('1', ms('01')))).toEqual(['20', '10']);
  expect(days(await read(undefined, ms('01')))).toEqual(['20', '15', '10']);
  expect(days(await read(undefined, ms('15')))).toEqual(['20', '15']);
  expect((await read('1', ms('01')))?.sinceMs).toBe(ms('01'));
});

test('where the replica of a large workspace begins, older orders may be missing', async () => {
  const read = await copyWith({ order: madeOn('10') });
  expect((await read('1', ms('01')))?.sinceMs).toBe(ms('10'));
  expect((await read('1', ms('12')))?.sinceMs).toBe(ms('12'));
});

test('nothing is told before all orders were read', async () => {
  const read = await copyWith(undefined, ['post']);
  expect(await read('1', ms('01'))).toBeUndefined();
});

test.each([
  ['a few are read with the posts', 1000, 'with the posts'],
  ['more than that are not', 1001, undefined],
])('of orders that were written %s', async (_what, count, expected) => {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['order'], loading: null });
    const rows = Array.from({ length: count }, (_, nth) => {
      const id = `0192d3c0-0000-7000-8000-${String(nth).padStart(12, '0')}`;
      return { id, v: 1, row: orderExample({ id, detectedAt: at('15') }) };
    });
    await applyRows(tx, { scope: SCOPE, entity: 'order', generation: 1 }, rows);
  });
  const first = Promise.withResolvers<void>();
  const told: number[] = [];
  const reading = createOrderReading({
    window: { igId: undefined, fromMs: ms('01') },
    read: (work) => store.read(work),
    onOrders: ({ orders }) => {
      told.push(orders.length);
      first.resolve();
    },
    onError: first.reject,
  });
  await first.promise;
  reading.hear({ keys: [`${SCOPE}|order|1|!`], hasPatches: false, hasScopes: false });
  const tell = await store.read((tx) => reading.take(tx));
  reading.stop();
  expect(tell && 'with the posts').toBe(expected);
  expect(told).toEqual([count]);
});

test('of several scopes the posts of all accounts are whole from where the last of them begins', async () => {
  const store = createMemoryStore();
  expect(await store.read(heldFrom)).toBeUndefined();
  await store.write(async (tx) => {
    for (const [nth, day] of ['10', '15'].entries()) {
      const more = { post: `${at(day)}|account|7` };
      const state = { scope: `w:${nth}`, generation: 1, complete: ['post'], more, loading: null };
      await putScope(tx, state);
    }
  });
  expect(await store.read(heldFrom)).toBe(at('15'));
});
