import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFakeSocialNetwork } from '#server/adapters/graph/social-network.fake.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { claimTrial, refuseBucket, returnToService } from './graph-bucket.repository.ts';
import { GraphBudget } from './graph-budget.ts';

const FIRST = '17841400000000001';
const SECOND = '17841400000000002';
const minute = 60_000;

let deps: TestDeps;
let bench: DetectionBench;
let budget: GraphBudget;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
  const bucketIds = [FIRST, SECOND];
  const network = createFakeSocialNetwork({ now: () => deps.clock.now(), bucketIds });
  budget = new GraphBudget({ ...deps, network });
  await budget.refresh();
});

test('a token that is given another chance brings no other one back', async () => {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  for (const bucketId of [FIRST, SECOND]) await refuseBucket(db, { bucketId, code: 190, now });
  const { retry_at: before } = await bench.bucket(SECOND);
  const later = new Date(now.getTime() + 60 * minute);
  expect(await claimTrial(db, FIRST, later)).toBe(true);
  expect((await bench.bucket(SECOND)).retry_at).toEqual(before);
  await returnToService(db, [FIRST], now);
  expect([await bench.bucket(FIRST), await bench.bucket(SECOND)]).toMatchObject([
    { refused_code: null },
    { refused_code: 190 },
  ]);
});

test('a throttled token is not one to be tried: none is free until it is', async () => {
  const usage = { percent: 100, regainAfterMs: 5 * minute };
  for (const bucketId of [FIRST, SECOND]) {
    await budget.learn(bucketId, deps.clock.now(), { kind: 'read', usage });
  }
  expect(budget.freest()).toBeUndefined();
  expect(budget.take()).toBeUndefined();
  expect(await budget.takeTrial()).toBeUndefined();
  deps.clock.advance(6 * minute);
  expect([FIRST, SECOND]).toContain(budget.take());
});
