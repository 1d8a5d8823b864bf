import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { registerCustomer } from '#test/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createExpiryJob } from './expiry.job.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** One round: the job ends when it would pause. */
async function sweep(): Promise<void> {
  const stop = new AbortController();
  const clock = {
    now: () => deps.clock.now(),
    sleep: () => {
      stop.abort();
      return Promise.resolve();
    },
  };
  await createExpiryJob({ ...deps, clock }).run(stop.signal);
}

async function count(table: 'session' | 'rate_limit'): Promise<number> {
  const rows = await deps.database.db.selectFrom(table).selectAll().execute();
  return rows.length;
}

test('sessions and limits stay while they count, and go when they have long been over', async () => {
  await registerCustomer(createApp(deps), deps, 'ada');
  await sweep();
  expect([await count('session'), await count('rate_limit')]).toEqual([1, 1]);
  deps.clock.advance(24 * 3_600_000);
  await sweep();
  expect([await count('session'), await count('rate_limit')]).toEqual([1, 0]);
  deps.clock.advance(30 * 86_400_000);
  await sweep();
  expect(await count('session')).toBe(0);
});
