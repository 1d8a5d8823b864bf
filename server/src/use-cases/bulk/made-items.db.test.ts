import { expect, onTestFinished, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { newAgency } from '#test/documents/agency-without-plans.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { newestMany, planMany, runMany, startMany, undoMany } from '#test/delivery/bulk-runs.ts';
import { makeClient } from '#test/people/clients.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps } from '#test/test-deps.ts';

test('what an operation made is told with what it was before, and what was charged', async () => {
  const deps = await createTestDeps();
  onTestFinished(() => deps.database.close());
  const owner = await registerCustomer(createApp(deps), deps, 'ada');
  await payPlan(deps, owner);
  const clientId = await makeClient(owner, 'Birch Bakery');
  const { client, user } = owner;
  const made = async (change: AskedChange) => {
    const shown = await planMany(deps, owner, ['ada'], change);
    await startMany(owner, shown);
    await runMany(deps);
    const { operationId } = shown;
    const asked = { userId: user.id, operationId };
    const [item] = (await client.call(CALLS.findMadeItems, asked)).body.data ?? [];
    const next = await client.call(CALLS.findMadeItems, { ...asked, after: 0 });
    expect(next.body.data).toEqual([]);
    return item;
  };
  expect(await made({ kind: 'client', clientId })).toMatchObject({
    igUsername: 'ada',
    change: { kind: 'client', clientName: 'Birch Bakery' },
    undo: { kind: 'client', clientId: null },
    fromPlan: null,
    charged: 0,
  });
  const dearer = await made({ kind: 'plan', packageIndex: 4 });
  expect(dearer).toMatchObject({ fromPlan: 2, undo: null });
  expect(dearer?.charged).toBeGreaterThan(0);
  const nobodys = { userId: user.id, operationId: deps.ids.uuid() };
  expect((await client.call(CALLS.findMadeItems, nobodys)).body.code).toBe('not_found');
});

test('of an operation of which a part was charged what cost nothing is undone, and what was charged stays and says so', async () => {
  const deps = await createTestDeps();
  onTestFinished(() => deps.database.close());
  const owner = await newAgency(createApp(deps), deps, 'bea', 3);
  const { client, user, names } = owner;
  for (const igUsername of names) await payPlan(deps, owner, igUsername);
  await changePlanTo(owner, 6, 'bea.c');
  const shown = await planMany(deps, owner, names, { kind: 'plan', packageIndex: 4 });
  await startMany(owner, shown);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 3, today: shown.today, undoable: 1 });
  const asked = { userId: user.id, operationId: shown.operationId };
  const { data: made = [] } = (await client.call(CALLS.findMadeItems, asked)).body;
  const each = shown.today / 2;
  expect(made.map(({ igUsername, charged, undo }) => [igUsername, charged, undo])).toEqual([
    ['bea.a', each, null],
    ['bea.b', each, null],
    ['bea.c', 0, { kind: 'keepPlan' }],
  ]);
  const charges = deps.gateway.charges.length;
  expect((await undoMany(owner, shown)).data).toMatchObject({ isUndo: true, waiting: 1 });
  await runMany(deps);
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  const plans = new Map(body.data?.map((of) => [of.igUsername, of]));
  expect(
    names.map((name) => [plans.get(name)?.accountPackageId, plans.get(name)?.nextPackageId]),
  ).toEqual([
    [4, null],
    [4, null],
    [6, null],
  ]);
  expect(deps.gateway.charges).toHaveLength(charges);
  expect(await compareBooks(deps)).toMatchObject({ refunds: 0, violations: [] });
});
