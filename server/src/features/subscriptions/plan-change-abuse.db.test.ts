import { afterAll, beforeAll, expect, test } from 'vitest';
import { DetectionBench } from '#test/detection-bench.ts';
import { createPlanChanger } from '#test/plan-changer.ts';
import {
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/subscription-fixture.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { stopNow } from './exits.service.ts';

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
  await bench.lookLater();
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
