import { expect, onTestFinished, test } from 'vitest';
import type { AskedChange } from '#shared/contract/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { planMany, runMany, startMany } from '#test/bulk-runs.ts';
import { makeClient } from '#test/clients.ts';
import { registerCustomer } from '#test/customers.ts';
import { payPlan } from '#test/paying-customer.ts';
import { createTestDeps } from '#test/test-deps.ts';

test('what an operation made is told with what it was before, and what was charged', async () => {
  const deps = await createTestDeps();
  onTestFinished(() => deps.database.close());
  const owner = await registerCustomer(createApp(deps), deps, 'ada');
  await payPlan(owner);
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
