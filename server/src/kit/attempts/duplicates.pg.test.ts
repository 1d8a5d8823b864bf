import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from '#server/main/app.ts';
import { ApiError } from '../api-error.ts';
import { createAttempts, type AttemptOutcome } from './attempt.service.ts';

let deps: TestDeps;
let workspaceId: string;
let userId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  const { user } = await registerCustomer(createApp(deps), deps, 'duplicate');
  userId = user.id;
  const owner = deps.database.db.selectFrom('app_user').select('workspace_id');
  workspaceId = (await owner.executeTakeFirstOrThrow()).workspace_id;
});
afterAll(() => deps.database.close());

/** Holds back the first answer of a connection while others have theirs many times over. */
function holdingFirstAnswer(): KyselyPlugin {
  let isFirst = true;
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isFirst) return result;
      isFirst = false;
      for (let n = 0; n < 30; n += 1) await sql`select 1`.execute(deps.database.db);
      return result;
    },
  };
}

// The clock stands still, so a duplicate that polled would wait for ever.
test('a duplicate whose claim is answered before its owner’s does not poll for the answer', async () => {
  const db = deps.database.db.withPlugin(holdingFirstAnswer());
  const attempts = createAttempts(
    { ...deps, database: { ...deps.database, db } },
    () => new ApiError('payment_unknown', 'Still running.'),
  );
  const attemptIds: string[] = [];
  const work = async (attemptId: string): Promise<AttemptOutcome<number>> => {
    attemptIds.push(attemptId);
    return { kind: 'done', data: attemptIds.length };
  };
  const attempt = { workspaceId, userId, call: '/pay', idempotencyKey: 'form', form: {} };
  const [first, duplicate] = await Promise.all([
    attempts.run(attempt, work),
    attempts.run(attempt, work),
  ]);
  expect([first, duplicate]).toEqual([{ data: 1 }, { data: 1 }]);
  expect(attemptIds).toHaveLength(1);
});
