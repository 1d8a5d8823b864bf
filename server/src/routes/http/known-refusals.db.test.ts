import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import type { Deps } from '#server/kit/deps.ts';
import { countTry } from '#server/identity/sessions/login-limits.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';

let deps: TestDeps;
let app: ReturnType<typeof createApp>;
let statements = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(counted(deps));
});
afterAll(() => deps.database.close());

/** The same dependencies, whose statements are counted. */
function counted(of: Deps): Deps {
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...of, database: { ...of.database, db: of.database.db.withPlugin(counting) } };
}

function logIn(client: ApiClient, nr = 0) {
  const form = { email: `nobody.${nr}@example.test`, password: 'wrong password' };
  return client.call(CALLS.login, { ...form, keepSignedIn: false });
}

/** Uses the failed log-ins of an address up, and then the one that goes slowly. */
async function useUp(address: string): Promise<void> {
  for (let nr = 0; nr <= LIMITS.loginAddress.uses; nr += 1) {
    const lane = { kind: 'stranger', key: address } as const;
    await countTry(deps, { email: `guessed.${nr}@example.test`, address, lane });
  }
}

test('of 90 log-ins at once of an address over its limit, none but the first asks the database', async () => {
  const address = '198.51.100.90';
  await useUp(address);
  const client = new ApiClient(app, { address });
  expect((await logIn(client)).httpStatus).toBe(429);
  statements = 0;
  const flood = Array.from({ length: 90 }, (_, nr) => logIn(client, nr));
  const answers = await Promise.all(flood);
  expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([429]));
  expect(answers[0]?.body.message).toBe('Too many tries. Please try again in 30 seconds.');
  expect(statements).toBe(0);
  const rows = await deps.database.db.selectFrom('rate_limit').select('name').execute();
  const ofAccounts = rows.filter(({ name }) => name === LIMITS.login.name);
  expect(ofAccounts, 'of guessed addresses, none of the flood').toHaveLength(
    LIMITS.loginAddress.uses,
  );
});

test('another address, another call and another node are not refused by that memory', async () => {
  const address = '198.51.100.91';
  await useUp(address);
  const client = new ApiClient(app, { address });
  expect((await logIn(client)).httpStatus).toBe(429);
  expect((await logIn(new ApiClient(app, { address: '198.51.100.92' }))).httpStatus).toBe(401);
  expect((await client.call(CALLS.about, {})).httpStatus).toBe(200);
  statements = 0;
  const otherNode = new ApiClient(createApp(counted(deps)), { address });
  expect((await logIn(otherNode)).httpStatus).toBe(429);
  expect(statements, 'the other node asks the store that all share').toBeGreaterThan(0);
});

test('once the window is over the database decides again', async () => {
  const address = '198.51.100.93';
  await useUp(address);
  const client = new ApiClient(app, { address });
  expect((await logIn(client)).httpStatus).toBe(429);
  deps.clock.advance(LIMITS.slowLogin.perMs);
  expect((await logIn(client)).httpStatus).toBe(401);
});
