import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { BEGIN, chargedPlans, newAgency } from '#test/documents/agency-without-plans.ts';
import { newestMany, planMany, reasonsOf, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import type { Customer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

/** Longer than a worker holds what it has claimed. */
const LEASE_MS = 241_000;
const STOPPED = 'This was stopped before it was done.';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
// A throttle of the test before is over, and forgotten.
beforeEach(() => deps.clock.advance(600_000));

/** Has something happen while this many accounts are being read, which wait until it has. */
async function whileReading(count: number, happen: () => Promise<unknown>): Promise<void> {
  const { network } = deps;
  const usual = { ...network };
  const happened = Promise.withResolvers<undefined>();
  let begun = 0;
  network.readAccount = async (request) => {
    const answer = await usual.readAccount(request);
    begun += 1;
    if (begun > count) return answer;
    if (begun === count) happened.resolve(happen().then(() => undefined));
    await happened.promise;
    return answer;
  };
  await runBulk(deps);
  Object.assign(network, usual);
  await runMany(deps);
}

const stop = ({ client, user }: Customer, operationId: string) =>
  client.call(CALLS.stopBulk, { userId: user.id, operationId });

test('a worker that outlived its lease pays nothing that its successor deferred and somebody stopped', async () => {
  const owner = await newAgency(app, deps, 'ada', 1);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  const before = chargedPlans(deps);
  await whileReading(1, async () => {
    deps.clock.advance(LEASE_MS);
    deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
    await runBulk(deps);
    await stop(owner, shown.operationId);
  });
  expect(chargedPlans(deps) - before).toBe(0);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 0, failed: 1, today: 0 });
  expect(await reasonsOf(owner, shown.operationId)).toEqual([['ada.a', STOPPED]]);
});

test('a name that its successor deferred and somebody stopped isn’t connected by a worker that outlived its lease', async () => {
  const owner = await newAgency(app, deps, 'bea', 1);
  deps.network.addAccount('bea.late');
  const shown = await planMany(deps, owner, ['bea.late'], { kind: 'add' });
  await startMany(owner, shown);
  await whileReading(1, async () => {
    deps.clock.advance(LEASE_MS);
    deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
    await runBulk(deps);
    await stop(owner, shown.operationId);
  });
  expect(await reasonsOf(owner, shown.operationId)).toEqual([['bea.late', STOPPED]]);
  const { client, user } = owner;
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  expect(body.data?.map(({ igUsername }) => igUsername)).not.toContain('bea.late');
});

test('of ten claimed together only the three that are under way are paid after a stop', async () => {
  const owner = await newAgency(app, deps, 'cal', 12);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  const before = chargedPlans(deps);
  await whileReading(3, () => stop(owner, shown.operationId));
  expect(chargedPlans(deps) - before).toBe(3);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 3, failed: 9 });
  const reasons = (await reasonsOf(owner, shown.operationId)).map(([, reason]) => reason);
  expect(new Set(reasons)).toEqual(new Set([STOPPED]));
});
