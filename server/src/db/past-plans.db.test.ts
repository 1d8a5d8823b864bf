import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlanChanger } from '#test/plan-changer.ts';
import { DAY_MS, newSubscriber } from '#test/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { up } from './migrations/0033-past-plans.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const pastPlans = () =>
  deps.database.db
    .selectFrom('past_plan')
    .select(['workspace_id', 'subscription_id', 'until_at', 'package', 'period_days'])
    .orderBy('until_at')
    .execute();

test('a database from before past plans were kept learns them from the checkouts of the upgrades', async () => {
  const plans = createPlanChanger(deps);
  await newSubscriber(deps, 'loyal', { packageIndex: 2 });
  const shopper = await newSubscriber(deps, 'climber', { packageIndex: 1 });
  for (const packageNumber of [3, 9]) {
    deps.clock.advance(DAY_MS);
    await plans.changeTo(shopper, packageNumber);
  }
  const kept = await pastPlans();
  expect(kept.map((plan) => plan.package)).toEqual([1, 3]);
  await sql`drop table past_plan`.execute(deps.database.db);
  // A migration knows no tables.
  await up(deps.database.db as unknown as Kysely<unknown>);
  expect(await pastPlans()).toEqual(kept);
});
