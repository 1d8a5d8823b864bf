import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const DAYS = 26;

let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
  deps.clock.set('2026-11-01T12:00:00Z');
});

// Shows fact 1.10.
test('the 100th post of a month gets its likes like the first, 4 a day', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  for (let day = 0; day < DAYS; day += 1) {
    deps.clock.set(new Date(Date.parse('2026-11-01T12:01:00Z') + day * DAY_MS).toISOString());
    for (let count = 0; count < 4; count += 1) deps.network.addPost('ada');
    await bench.pollLater();
  }
  const orders = await bench.orders(customer);
  expect(orders).toHaveLength(DAYS * 4);
  expect(orders[99]).toMatchObject({ ordered: 50, local_day: '2026-11-25', slot: 4 });
});

// Shows fact 4.16.
test('a post after a plan change gets the likes of the new plan, one before it those of the old', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ben'));
  await bench.poll();
  deps.network.addPost('ben');
  await bench.pollLater();
  await deps.database.db.updateTable('subscription').set({ package: 4 }).execute();
  deps.network.addPost('ben');
  await bench.pollLater();
  expect((await bench.orders(customer)).map(({ ordered }) => ordered)).toEqual([50, 500]);
});

test('from the due day on a post gets the likes of the plan chosen for it, its charge still to come', async () => {
  const due = new Date('2026-12-01T12:00:00Z');
  const chosen = { package: 4, next_package: 1, next_billing_at: due };
  const customer = await bench.schedule(deps.network.addAccount('cleo'), chosen);
  await bench.poll();
  deps.clock.set('2026-11-30T23:59:00Z');
  deps.network.addPost('cleo');
  await bench.pollLater();
  deps.clock.set('2026-12-01T00:01:00Z');
  deps.network.addPost('cleo');
  await bench.pollLater();
  expect((await bench.orders(customer)).map(({ ordered }) => ordered)).toEqual([500, 50]);
  // While a month is unpaid the plan that is owed holds.
  await deps.database.db.updateTable('subscription').set({ state: 'Past due' }).execute();
  deps.network.addPost('cleo');
  await bench.pollLater();
  expect((await bench.orders(customer)).map(({ ordered }) => ordered)).toEqual([500, 50, 500]);
});
