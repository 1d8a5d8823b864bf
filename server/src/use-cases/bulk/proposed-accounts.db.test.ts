import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { newestMany, planMany, runMany, type Shown, startMany } from '#test/delivery/bulk-runs.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A dearer plan for the owner's account, which its manager may not decide alone. */
async function proposed(name: string): Promise<{ owner: Customer; wanted: Shown }> {
  const owner = await registerCustomer(app, deps, name);
  await payPlan(deps, owner, name);
  const manager = await joinAs(deps, app, owner, `${name}.manager`, 'Manager');
  await owner.client.call(CALLS.saveApproval, { userId: owner.user.id, approvalAbove: 0 });
  const wanted = await planMany(deps, manager, [name], { kind: 'plan', packageIndex: 4 });
  const { operationId, planned, today } = wanted;
  const asked = { userId: manager.user.id, operationId, planned, today };
  expect((await manager.client.call(CALLS.proposeBulk, asked)).body.data?.state).toBe('proposed');
  return { owner, wanted };
}

/** The account has another name, and somebody else's has its old one and a plan. */
async function rename({ client, user }: Customer, from: string, to: string): Promise<void> {
  deps.network.rename(from, to);
  const renamed = { userId: user.id, oldIgUsername: from, igUsername: to };
  expect((await client.call(CALLS.updateUsername, renamed)).httpStatus).toBe(200);
  deps.network.addAccount(from);
  // What was read of the name a moment ago isn't asked again.
  deps.clock.advance(10 * 60_000);
  await client.call(CALLS.addAccount, { userId: user.id, igUsername: from });
  await payPlan(deps, { user }, from);
}

async function review({ client, user }: Customer, { operationId: proposalId }: Shown) {
  const operationId = deps.ids.uuid();
  const asked = { userId: user.id, operationId, proposalId, from: 0 };
  const { data, code } = (await client.call(CALLS.reviewBulk, asked)).body;
  return { operationId, code, planned: 0, today: 0, month: 0, items: [], ...data };
}

async function plansOf({ client, user }: Customer): Promise<Record<string, number | null>> {
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  const plans = body.data?.map((each) => [each.igUsername, each.accountPackageId] as const);
  return Object.fromEntries(plans ?? []);
}

test('what was proposed for an account is approved for it, whoever has its name by then', async () => {
  const { owner, wanted } = await proposed('ada');
  await rename(owner, 'ada', 'ada.new');
  const shown = await review(owner, wanted);
  expect(shown.items.map(({ igUsername }) => igUsername)).toEqual(['ada.new']);
  await startMany(owner, shown);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 1, failed: 0 });
  expect(await plansOf(owner)).toEqual({ 'ada.new': 4, ada: 2 });
});
