import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerCustomer } from '#test/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from '../app.ts';
import { createSubmits, type SubmitOutcome } from './submit.service.ts';

let deps: TestDeps;
let workspaceId: string;
let userId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  const { user } = await registerCustomer(createApp(deps), deps, 'twin');
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

// The clock stands still, so a twin that polled would wait for ever.
test('a twin whose claim is answered before its leader’s does not poll for the answer', async () => {
  const db = deps.database.db.withPlugin(holdingFirstAnswer());
  const submits = createSubmits({ ...deps, database: { ...deps.database, db } });
  const attempts: string[] = [];
  const work = async (attemptId: string): Promise<SubmitOutcome<number>> => {
    attempts.push(attemptId);
    return { kind: 'done', data: attempts.length };
  };
  const submit = { workspaceId, userId, call: '/pay', idempotencyKey: 'form', form: {} };
  const [first, twin] = await Promise.all([submits.run(submit, work), submits.run(submit, work)]);
  expect([first, twin]).toEqual([{ data: 1 }, { data: 1 }]);
  expect(attempts).toHaveLength(1);
});
