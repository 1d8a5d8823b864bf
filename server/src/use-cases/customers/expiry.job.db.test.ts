import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#server/main/app.ts';
import { signUp } from '#test/people/customers.ts';
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
  await signUp(createApp(deps), deps, 'ada');
  await sweep();
  expect([await count('session'), await count('rate_limit')]).toEqual([1, 2]);
  deps.clock.advance(24 * 3_600_000);
  await sweep();
  expect([await count('session'), await count('rate_limit')]).toEqual([1, 0]);
  deps.clock.advance(30 * 86_400_000);
  await sweep();
  expect(await count('session')).toBe(0);
});

test('an answered submit goes after 30 days, an unanswered one stays', async () => {
  const { db } = deps.database;
  const { id: workspaceId } = await db
    .selectFrom('workspace')
    .select('id')
    .executeTakeFirstOrThrow();
  const now = new Date(deps.clock.now());
  for (const [key, answer] of [
    ['answered', JSON.stringify({ kind: 'success', data: null })],
    ['open', null],
  ] as const) {
    const submit = { workspace_id: workspaceId, call: '/pay', key, body_hash: Buffer.alloc(32) };
    const begun = { attempt_id: deps.ids.uuid(), created_at: now, lease_until: now };
    await db
      .insertInto('attempt')
      .values({ ...submit, ...begun, answer })
      .execute();
  }
  const keys = async (): Promise<string[]> => {
    const rows = await db.selectFrom('attempt').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key);
  };
  deps.clock.advance(29 * 86_400_000);
  await sweep();
  expect(await keys()).toEqual(['answered', 'open']);
  deps.clock.advance(2 * 86_400_000);
  await sweep();
  expect(await keys()).toEqual(['open']);
});
