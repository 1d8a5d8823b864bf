import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Customer, plantCustomer } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { takeSlot, useDay } from '#server/delivery/automatic/automatic-slot.repository.ts';
import { lockSubscription } from '../subscriptions/subscription-work.repository.ts';
import { insertPendingDays, judgePending } from '../subscriptions/subscription-day.repository.ts';

let deps: TestDeps;
let customer: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  customer = await plantCustomer(deps, { igId: '17800000000000001', igUsername: 'ada' });
});
afterAll(() => deps.database.close());

const now = () => new Date(deps.clock.now());

async function give(localDay: string, meanwhile: () => Promise<void>): Promise<boolean> {
  return deps.database.transaction(async (tx) => {
    const row = await lockSubscription(tx, customer);
    if (!row) throw new Error('planted');
    const given = await judgePending(tx, row, 'given', [localDay]);
    await meanwhile();
    return given.length > 0;
  });
}

const use = (localDay: string, meanwhile: () => Promise<void>): Promise<boolean> =>
  deps.database.transaction(async (tx) => {
    const isUsed = await useDay(tx, customer, localDay, now());
    await meanwhile();
    return isUsed;
  });

async function stateOf(localDay: string): Promise<string | undefined> {
  const row = await deps.database.db
    .selectFrom('subscription_day')
    .select('state')
    .where('local_day', '=', localDay)
    .executeTakeFirst();
  return row?.state;
}

test.each(['the order', 'the service credit'])(
  'a day is given back or has an order, never both: %s is first',
  async (first) => {
    const localDay = first === 'the order' ? '2026-11-20' : '2026-11-21';
    await insertPendingDays(deps.database.db, [{ ...customer, localDay, cause: 'outage' }], now());
    const began = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const hold = async (): Promise<void> => {
      began.resolve();
      await go.promise;
    };
    const rest = (): Promise<void> => Promise.resolve();
    const earlier = first === 'the order' ? use(localDay, hold) : give(localDay, hold);
    await began.promise;
    const later = first === 'the order' ? give(localDay, rest) : use(localDay, rest);
    go.resolve();
    expect(await Promise.all([earlier, later])).toEqual([true, false]);
    expect(await stateOf(localDay)).toBe(first === 'the order' ? 'ordered' : 'given');
  },
);

test('of many at once one takes a slot of a network account’s day', async () => {
  const slot = { localDay: '2026-11-22', slot: 1, timeZone: 'UTC', postedAtMs: deps.clock.now() };
  const taken = await Promise.all(
    Array.from({ length: 10 }, () =>
      deps.database.transaction((tx) => takeSlot(tx, customer, slot)),
    ),
  );
  expect(taken.filter(Boolean)).toHaveLength(1);
});
