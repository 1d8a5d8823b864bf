import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import {
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

/** Four posts of the top plan on one of 30 days: $450.00 / 30. */
const TOP_DAY_CENTS = 1500;

let deps: TestDeps;
let plans: ReturnType<typeof createPlanChanger>;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
  plans = createPlanChanger(deps);
  bench = new DetectionBench(deps);
});
afterAll(() => deps.database.close());

/** Posts four times, and has each seen; the likes ordered for them, bonus excluded. */
async function postFourTimes(shopper: Shopper): Promise<number[]> {
  for (let post = 0; post < 4; post += 1) deps.network.addPost(shopper.igUsername);
  await bench.pollLater();
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select('ordered')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  return rows.map(({ ordered }) => ordered);
}

test('up for four posts, down again and out pays for the day on the top plan', async () => {
  const shopper = await newSubscriber(deps, 'climber', { packageIndex: 1 });
  await plans.changeTo(shopper, 9);
  expect(await postFourTimes(shopper)).toEqual([10_000, 10_000, 10_000, 10_000]);
  await plans.changeTo(shopper, 1);
  await stopNow(deps, nameOf(shopper));
  await live(deps, 120_000, 5000);
  const { chargedCents, refundedCents } = await gatewayBook(deps, shopper);
  const keptCents = chargedCents.reduce((sum, cents) => sum + cents, 0) - refundedCents;
  expect(keptCents).toBeGreaterThanOrEqual(TOP_DAY_CENTS);
});

/** The provider delivers every order in full. */
async function deliverAll(): Promise<void> {
  const batch = { leaseMs: 30_000, batch: 100 };
  await placeDueOrders(deps, { ...batch, lockClaimed: lockClaimedOrders });
  for (const ref of deps.provider.orders.keys()) deps.provider.complete(ref);
  deps.clock.advance(60_000);
  await pollDueOrders(deps, batch);
}

test('up for four posts, down again, out and the money back pays for the likes delivered', async () => {
  const shopper = await newSubscriber(deps, 'climber.back', { packageIndex: 1 });
  await plans.changeTo(shopper, 9);
  await postFourTimes(shopper);
  await plans.changeTo(shopper, 1);
  await stopNow(deps, nameOf(shopper));
  await deliverAll();
  const delivered = await deps.database.db
    .selectFrom('like_order')
    .select(['state', 'ordered', 'bonus', 'delivered'])
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  expect(delivered.map(({ state }) => state)).toEqual(Array(4).fill('Completed'));
  const asked = await requestRefund(deps, nameOf(shopper));
  await live(deps, 5 * DAY_MS);

  const { chargedCents, refundedCents } = await gatewayBook(deps, shopper);
  expect(refundedCents).toBe(asked.amount_cents);
  const keptCents = chargedCents.reduce((sum, cents) => sum + cents, 0) - refundedCents;
  const likes = delivered.reduce((sum, { ordered }) => sum + ordered, 0);
  // All but the first 2,500 likes, each at what the top plan asks for it.
  expect(keptCents).toBe(Math.ceil(((likes - 2500) * 45_000) / (4 * 30 * 10_000)));
});

test('up and down ten times in a day is paid once up, and the top plan stays until its month is over', async () => {
  const shopper = await newSubscriber(deps, 'yo.yo', { packageIndex: 1 });
  for (let turn = 0; turn < 10; turn += 1) {
    await plans.changeTo(shopper, 9).catch(() => undefined);
    await plans.changeTo(shopper, 1).catch(() => undefined);
  }
  expect(await gatewayBook(deps, shopper)).toEqual({
    chargedCents: [999, 45_000 - Math.floor((999 * 29) / 30)],
    refundedCents: 0,
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 9, next_package: 1 });
});
