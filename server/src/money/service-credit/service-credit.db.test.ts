import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { Posting } from '#test/delivery/posting.ts';
import { servedTime } from '#test/delivery/served-time.ts';
import {
  endAll,
  gatewayBook,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';
import { viewAccounts } from '#server/read-model/accounts.service.ts';
import { useDay } from '#server/delivery/automatic/automatic-slot.repository.ts';

let deps: TestDeps;
const { tick, work, endOfDay, readAll, hide } = servedTime(() => deps);
beforeAll(async () => {
  deps = await createTestDeps();
  deps.clock.set('2026-11-21T00:00:00Z');
  await tick();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** As a day with an order is written down. */
async function useToday(shopper: Shopper): Promise<void> {
  const { workspace_id: workspaceId, id: subscriptionId } = await subscriptionOf(deps, shopper);
  const now = new Date(deps.clock.now());
  const today = now.toISOString().slice(0, 10);
  await deps.database.transaction((tx) => useDay(tx, { workspaceId, subscriptionId }, today, now));
}

const shiftOf = async (shopper: Shopper): Promise<number> =>
  (await subscriptionOf(deps, shopper)).shift_days;
const viewOf = async ({ session }: Shopper) =>
  (await viewAccounts(deps, session.workspaceId))[0]?.view;

test('throttling over 12 hours gives the day back, without bound', async () => {
  await endOfDay();
  const shopper = await newSubscriber(deps, 'throttled');
  await hide(shopper, 'throttled');
  for (let day = 0; day < 6; day += 1) await endOfDay();
  expect(await shiftOf(shopper)).toBe(6);
  expect((await viewOf(shopper))?.shiftReason).toMatch(/limited our requests/);
  await hide(shopper, null);
});

test('an account that alone can’t be reached is unreadable, a network that can’t be has no bound', async () => {
  await endAll(deps);
  await endOfDay();
  const shoppers: Shopper[] = [];
  for (let n = 0; n < 11; n += 1) shoppers.push(await newSubscriber(deps, `crowd_${n}`));
  const [alone, leaving, ...others] = shoppers;
  if (!alone || !leaving) throw new Error('there are eleven');
  await endOfDay();
  await hide(alone, 'unreachable');
  for (let day = 0; day < 5; day += 1) await endOfDay();
  expect(await shiftOf(alone)).toBe(3);
  // Of ten, one is a tenth.
  await stopNow(deps, nameOf(leaving));
  await tick();
  for (let day = 0; day < 2; day += 1) await endOfDay();
  expect(await shiftOf(alone)).toBe(5);
  await hide(others, 'unreachable');
  for (let day = 0; day < 5; day += 1) await endOfDay();
  expect(await shiftOf(alone)).toBe(10);
  expect(await shiftOf(shoppers[5] ?? alone)).toBe(5);
  await hide(shoppers, null);
});

test('a day that waits for the next reading is dropped when its plan ends before', async () => {
  await endOfDay();
  const shopper = await newSubscriber(deps, 'ends_first');
  const states = async (): Promise<string[]> => {
    const days = await deps.database.db
      .selectFrom('subscription_day')
      .select('state')
      .where('workspace_id', '=', shopper.session.workspaceId)
      .execute();
    return days.map(({ state }) => state);
  };
  await hide(shopper, 'unreadable');
  await work(3 * 24);
  expect(new Set(await states())).toEqual(new Set(['pending']));
  await stopNow(deps, nameOf(shopper));
  await tick();
  expect(new Set(await states())).toEqual(new Set(['dropped']));
  await hide(shopper, null);
});

test('a post of the day that is found late makes it a used day', async () => {
  await endOfDay();
  const posting = new Posting(deps);
  const shopper = await newSubscriber(deps, 'late_post');
  await endOfDay();
  posting.post(shopper);
  await hide(shopper, 'unreadable');
  const restMs = DAY_MS - (deps.clock.now() % DAY_MS);
  await work(restMs / HOUR_MS + 1);
  expect(await shiftOf(shopper)).toBe(0);
  await posting.poll(shopper);
  await readAll();
  expect(await posting.orderedDays(shopper)).toHaveLength(1);
  expect(await shiftOf(shopper)).toBe(0);
});

/** `NIGHTS=120` for more. */
const NIGHTS = Number(process.env['NIGHTS'] ?? 60);

test('H2: private nights with likes by day are charged as owed', async () => {
  await endOfDay();
  const posting = new Posting(deps);
  const served = await newSubscriber(deps, 'private_nights');
  const unserved = await newSubscriber(deps, 'never_posts');
  for (let day = 0; day < NIGHTS; day += 1) {
    await hide([served, unserved], 'unreadable');
    await work(13);
    await hide([served, unserved], null);
    if (day % 8 === 0) posting.post(served, 4);
    await posting.poll(served);
    if (day % 8 !== 0) await useToday(served);
    await endOfDay();
    await runDue(deps);
  }
  const months = (row: { anchor_at: Date }): number => {
    const clock = { anchorMs: row.anchor_at.getTime(), timeZone: 'UTC', shiftDays: 0 };
    return [1, 2, 3, 4, 5].filter((n) => dueAt(clock, n) <= deps.clock.now()).length;
  };
  const row = await subscriptionOf(deps, served);
  expect(row).toMatchObject({ shift_days: 0, period: months(row) });
  expect((await gatewayBook(deps, served)).chargedCents).toHaveLength(months(row) + 1);
  // Without a single post three days a period are given back, and no more.
  const idle = await subscriptionOf(deps, unserved);
  expect(idle.period).toBeGreaterThanOrEqual(Math.floor(NIGHTS / 40));
  expect(idle.shift_days).toBe(3 * (idle.period + 1));
});
