import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#server/main/app.ts';
import { PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { logIn } from './login.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await registerCustomer(createApp(deps), deps, 'ada');
});
afterAll(() => deps.database.close());

/** What a log-in does that takes time, in order: the statements it sends and the hashes it checks. */
async function stepsOf(email: string): Promise<string[]> {
  const steps: string[] = [];
  const db = deps.database.db.withPlugin({
    transformQuery: ({ node }) => {
      steps.push(node.kind);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const passwords = {
    hash: () => Promise.reject(new Error('nothing is hashed')),
    verify: (storedHash: string | undefined) => {
      steps.push('verify');
      return Promise.resolve(storedHash === 'never');
    },
  };
  const attempt = {
    email,
    password: PASSWORD,
    keepSignedIn: false,
    userAgent: '',
    address: '192.0.2.1',
    browserToken: undefined,
  };
  const watched = { ...deps, database: { ...deps.database, db }, passwords };
  await expect(logIn(watched, attempt)).rejects.toMatchObject({ code: 'wrong_credentials' });
  return steps;
}

test('a log-in takes the same steps for an unknown address as for a wrong password', async () => {
  const known = await stepsOf('ada@example.test');
  expect(known.filter((step) => step === 'verify')).toHaveLength(1);
  expect(known.length).toBeGreaterThan(2);
  expect(await stepsOf('nobody@example.test')).toEqual(known);
  expect(await stepsOf('not an address')).toEqual(known);
  expect(await stepsOf('')).toEqual(known);
});
