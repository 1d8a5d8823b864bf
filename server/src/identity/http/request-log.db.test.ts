import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { createLog } from '#server/kit/log.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let ada: Customer;
let ben: Customer;
const lines: string[] = [];
beforeAll(async () => {
  deps = await createTestDeps();
  const log = createLog(
    'info',
    (line) => lines.push(line),
    () => deps.clock.now(),
  );
  const app = createApp({ ...deps, log });
  ada = await registerCustomer(app, deps, 'ada');
  ben = await registerCustomer(app, deps, 'ben');
});
afterAll(() => deps.database.close());

const last = (): unknown => JSON.parse(lines.at(-1) ?? '');

test('a refused request is logged with who asked, what, the code and the id of its answer', async () => {
  const { headers } = await ben.client.call(CALLS.findUser, { userId: ada.user.id });
  expect(last()).toMatchObject({
    requestId: headers.get('x-request-id'),
    path: '/user/user/findByUserId',
    status: 403,
    userId: ben.user.id,
    code: 'not_yours',
  });
  await ada.client.call(CALLS.logout, {}, { origin: 'https://evil.example' });
  expect(last()).toMatchObject({ status: 403, code: 'foreign_origin' });
});

test('a request that went well has no code, and no line tells what was sent', async () => {
  await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  expect(last()).toMatchObject({ status: 200, userId: ada.user.id });
  expect(last()).not.toHaveProperty('code');
  await ada.client.send('/user/user/login?password=canary', { method: 'POST', body: 'canary' });
  expect(lines.join('\n')).not.toMatch(/canary|@example|correct horse/);
});
