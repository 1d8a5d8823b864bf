import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { deleteOldUses } from './rate-limit.repository.ts';
import { forgetLimit, isWithinLimit, limit, takeBackLimit } from './rate-limit.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const THREE = { name: 'three', uses: 3, perMs: 60_000 };

async function countAllowed(key: string, attempts: number): Promise<number> {
  const uses = Array.from({ length: attempts }, () => limit(deps, { ...THREE, key }));
  const outcomes = await Promise.allSettled(uses);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('of many uses at once exactly the allowed number passes', async () => {
  expect(await countAllowed('crowd', 25)).toBe(3);
});

test('the wait is told, and after it a new window begins', async () => {
  expect(await countAllowed('patient', 3)).toBe(3);
  deps.clock.advance(45_000);
  await expect(limit(deps, { ...THREE, key: 'patient' })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 15_000,
    message: 'Too many tries. Please try again in 15 seconds.',
  });
  deps.clock.advance(14_999);
  expect(await countAllowed('patient', 1)).toBe(0);
  deps.clock.advance(1);
  expect(await countAllowed('patient', 5)).toBe(3);
});

test('keys and names are counted apart', async () => {
  expect(await countAllowed('one', 4)).toBe(3);
  expect(await countAllowed('two', 4)).toBe(3);
  await limit(deps, { ...THREE, name: 'other', key: 'one' });
});

test('a forgotten key starts again', async () => {
  expect(await countAllowed('forgiven', 4)).toBe(3);
  await forgetLimit(deps, { ...THREE, key: 'forgiven' });
  expect(await countAllowed('forgiven', 4)).toBe(3);
});

test('the table shows no key, and windows that are over can be dropped', async () => {
  await limit(deps, { ...THREE, key: 'ada@example.test' });
  const rows = () => deps.database.db.selectFrom('rate_limit').selectAll().execute();
  expect(JSON.stringify(await rows())).not.toContain('ada');
  deps.clock.advance(60_000);
  await limit(deps, { ...THREE, key: 'still counted' });
  await deleteOldUses(deps.database.db, new Date(deps.clock.now()));
  expect(await rows()).toHaveLength(1);
});

test('a use taken back makes room for exactly one more', async () => {
  const use = { ...THREE, key: 'returned' };
  expect(await countAllowed('returned', 3)).toBe(3);
  await takeBackLimit(deps, use);
  expect(await isWithinLimit(deps, use)).toBe(true);
  expect(await isWithinLimit(deps, use)).toBe(false);
});

test('nothing is taken back that was not counted', async () => {
  const use = { ...THREE, key: 'generous' };
  await limit(deps, use);
  for (let index = 0; index < 5; index += 1) await takeBackLimit(deps, use);
  expect(await countAllowed('generous', 10)).toBe(3);
});
