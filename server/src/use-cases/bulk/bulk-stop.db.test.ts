import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { newestMany, planMany, reasonsOf, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

const ADD = { kind: 'add' } as const;
const TAG: AskedChange = { kind: 'tags', add: ['VIP'], remove: [] };

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A workspace in which an editor pastes so many names that nobody has. */
async function pasting(name: string, count: number) {
  const owner = await registerCustomer(app, deps, name);
  await payPlan(deps, owner, name);
  const editor = await joinAs(deps, app, owner, `${name}.edda`, 'Editor');
  const names = Array.from({ length: count }, (_, nth) => `${name}.gone${nth}`);
  const shown = await planMany(deps, editor, names, ADD);
  await startMany(editor, shown);
  return { owner, editor, operationId: shown.operationId };
}

const tagStarted = async (person: Customer, name: string) =>
  startMany(person, await planMany(deps, person, [name], TAG));
const stop = async ({ client, user }: Customer, operationId: string) =>
  (await client.call(CALLS.stopBulk, { userId: user.id, operationId })).body;

test('who is refused is told whose operation runs, what it does, and how far it is', async () => {
  const { owner, editor } = await pasting('ada', 12);
  await runBulk(deps);
  expect(await tagStarted(owner, 'ada')).toMatchObject({
    code: 'bulk_running',
    message:
      'Ada Example is still adding 12 accounts, 10 done so far. Please wait until that’s finished, or stop it under “Recent changes”.',
  });
  const other = await joinAs(deps, app, owner, 'ada.other', 'Editor');
  expect((await tagStarted(other, 'ada')).message).toMatch(/Please wait until that’s finished\.$/);
  expect((await tagStarted(editor, 'ada')).message).toMatch(/^You are still adding 12 accounts/);
  await runMany(deps);
});

test('who may not see an operation isn’t told whose it is nor what it does', async () => {
  const owner = await registerCustomer(app, deps, 'flo');
  await payPlan(deps, owner, 'flo');
  const editor = await joinAs(deps, app, owner, 'flo.edda', 'Editor');
  const clientId = await makeClient(owner, 'Bakery');
  for (const change of [{ kind: 'client', clientId }, { kind: 'cancel' }] as const) {
    await startMany(owner, await planMany(deps, owner, ['flo'], change));
    expect(await newestMany(editor)).toBeUndefined();
    expect(await tagStarted(editor, 'flo')).toMatchObject({
      code: 'bulk_running',
      message: 'Another bulk change is running. Please wait until that’s finished.',
    });
    await runMany(deps);
  }
});

test('what waits is stopped by who started it or by a manager, listed as not done, and the way is free', async () => {
  const { owner, editor, operationId } = await pasting('bea', 12);
  const other = await joinAs(deps, app, owner, 'bea.other', 'Editor');
  await runBulk(deps);
  expect(await stop(other, operationId)).toMatchObject({ code: 'not_allowed' });
  expect(await newestMany(other)).toMatchObject({ canStop: false });
  expect(await newestMany(owner)).toMatchObject({ canStop: true, waiting: 2 });
  expect((await stop(editor, operationId)).data).toMatchObject({
    waiting: 0,
    failed: 12,
    stopped: 2,
  });
  const reasons = (await reasonsOf(owner, operationId)).map(([, reason]) => reason);
  expect(
    reasons.filter((reason) => reason === 'This was stopped before it was done.'),
  ).toHaveLength(2);
  await runMany(deps);
  expect((await tagStarted(owner, 'bea')).code).toBeUndefined();
  await runMany(deps);
  expect(await stop(owner, deps.ids.uuid())).toMatchObject({ code: 'not_found' });
  // Again, and of what is done: nothing happens.
  expect((await stop(owner, operationId)).data).toMatchObject({ state: 'done', failed: 12 });
});

test('names that wait for their minute are stopped, too', async () => {
  const { owner, operationId } = await pasting('cy', 3);
  const { db } = deps.database;
  await db
    .updateTable('bulk_item')
    .set({ fence: 2, code: 'rate_limited' })
    .where('operation_id', '=', operationId)
    .execute();
  expect((await stop(owner, operationId)).data).toMatchObject({ waiting: 0, failed: 3 });
});

test('a change that is under way isn’t stopped: its worker says what became of it', async () => {
  const { owner, operationId } = await pasting('dan', 2);
  const { db } = deps.database;
  await db
    .updateTable('bulk_item')
    .set({ fence: 1, begun: true })
    .where('operation_id', '=', operationId)
    .where('position', '=', 0)
    .execute();
  expect((await stop(owner, operationId)).data).toMatchObject({ waiting: 1, failed: 1 });
  expect(await tagStarted(owner, 'dan')).toMatchObject({
    code: 'bulk_running',
    message:
      'Adding 2 accounts was stopped, and what had begun is being finished. Please try again in a moment.',
  });
});

test('a list of names that nobody has is given up without asking the network for all of it', async () => {
  const { owner, operationId } = await pasting('eve', 60);
  const before = deps.network.calls.length;
  await runMany(deps);
  expect(deps.network.calls.length - before).toBeLessThanOrEqual(35);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 0, failed: 60 });
  const [[, reason] = []] = (await reasonsOf(owner, operationId)).slice(-1);
  expect(reason).toContain('any of the 25 names before this one');
});
