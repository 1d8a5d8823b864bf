import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import {
  type Agency,
  BEGIN,
  chargedPlans,
  newAgency,
} from '#test/documents/agency-without-plans.ts';
import { newestMany, planMany, reasonsOf, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { PASSWORD } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

const REVOKED = 'The device that started this was logged out before it was done.';
const ANOTHER = 'another horse battery';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** Plans of an agency that are begun from another device of its owner. */
async function startedElsewhere(name: string, count: number) {
  const owner = await newAgency(app, deps, name, count);
  const client = new ApiClient(app, { address: `${name}.elsewhere` });
  await client.call(CALLS.login, { email: owner.user.email, password: PASSWORD });
  const elsewhere = { client, user: owner.user };
  const shown = await planMany(deps, elsewhere, owner.names, BEGIN);
  await startMany(elsewhere, shown);
  return { owner, elsewhere, operationId: shown.operationId };
}

async function endOtherDevices({ client, user }: Agency): Promise<void> {
  const { body } = await client.call(CALLS.findSessions, { userId: user.id });
  for (const { id, isThis } of body.data ?? []) {
    if (!isThis) await client.call(CALLS.endSession, { userId: user.id, sessionId: id });
  }
}

const changePassword = ({ client, user }: Agency) =>
  client.call(CALLS.updatePassword, {
    userId: user.id,
    currentPassword: PASSWORD,
    password: ANOTHER,
  });

test('what a device has running goes no further once the password was changed on another one', async () => {
  const { owner, operationId } = await startedElsewhere('ada', 3);
  await changePassword(owner);
  const before = chargedPlans(deps);
  await runMany(deps);
  expect(chargedPlans(deps) - before).toBe(0);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 0, failed: 3 });
  expect(await reasonsOf(owner, operationId)).toEqual(
    owner.names.map((igUsername) => [igUsername, REVOKED]),
  );
  const { body } = await owner.client.call(CALLS.findActivity, { userId: owner.user.id });
  expect(body.data?.entries[0]?.text).toBe('Ovation stopped starting 3 plans before any was made.');
});

test('nor once the device was logged out from another one, in the middle of ten', async () => {
  const { owner } = await startedElsewhere('bea', 12);
  const { network } = deps;
  const usual = { ...network };
  network.readAccount = async (request) => {
    const answer = await usual.readAccount(request);
    if (request.username === 'bea.c') await endOtherDevices(owner);
    return answer;
  };
  await runBulk(deps);
  Object.assign(network, usual);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 3, failed: 9 });
});

test('what the device itself has running goes on: after its own password change, and after its log-out', async () => {
  const own = await newAgency(app, deps, 'cal', 1);
  await startMany(own, await planMany(deps, own, own.names, BEGIN));
  await changePassword(own);
  await runMany(deps);
  expect(await newestMany(own)).toMatchObject({ done: 1, failed: 0 });
  const { owner, elsewhere } = await startedElsewhere('dan', 1);
  await elsewhere.client.call(CALLS.logout, { userId: owner.user.id });
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 1, failed: 0 });
});
