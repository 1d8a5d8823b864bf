import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { makeClient } from '#test/people/clients.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  // Days enough to the month's end.
  deps = await createTestDeps({ clock: new FakeClock('2026-11-10T12:00:00Z') });
  app = createApp(deps);
});
afterAll(() => deps.database.close());

test('a client’s budget counts its accounts’ plans, wherever they were bought, and keeps room for each', async () => {
  const owner = await registerCustomer(app, deps, 'mia');
  await payPlan(deps, owner);
  const { id: userId, defaultIgUsername: name } = owner.user;
  const bakery = await makeClient(owner, 'Bakery');
  const cinema = await makeClient(owner, 'Cinema');
  const find = async () => (await owner.client.call(CALLS.findBudgets, { userId })).body;
  const put = async (clientId: string, igUsername = name) => {
    const input = { userId, igUsernames: [igUsername], clientId };
    return (await owner.client.call(CALLS.setClient, input)).body;
  };
  const limit = async (clientId: string, amount: number | null) => {
    const input = { userId, clientId, limit: amount };
    return (await owner.client.call(CALLS.saveBudget, input)).body;
  };
  const ofClient = (clientId: string, client: string) => ({
    client: { id: clientId, name: client },
  });
  expect((await put(bakery)).code).toBeUndefined();
  expect((await limit(bakery, 16)).message).toContain('Plans of Bakery cost $17.00 a month');
  expect((await limit(bakery, 24)).data?.budgets).toEqual([
    { igUsername: null, ...ofClient(bakery, 'Bakery'), limit: 24, spent: 17, due: 0, monthly: 17 },
  ]);
  const charges = deps.gateway.charges.length;
  const refused = await changePlanTo(owner, 3);
  expect(refused).toMatchObject({ code: 'budget_reached' });
  expect(refused.message).toContain('budget of $24.00 for Bakery, $7.00 is left');
  expect(refused.message).toContain('An owner can raise it under Team.');
  expect(deps.gateway.charges).toHaveLength(charges);

  // An account comes with its plan, or not at all; so does a client.
  await limit(cinema, 16);
  const tooMuch =
    'With these accounts, plans of Cinema would cost $17.00 a month, and the budget for Cinema is $16.00. Nothing was changed. An owner can raise it under Team.';
  expect(await put(cinema)).toMatchObject({ code: 'budget_reached', message: tooMuch });
  const merge = { userId, clientId: bakery, intoId: cinema };
  const merged = (await owner.client.call(CALLS.mergeClients, merge)).body;
  expect(merged).toMatchObject({ code: 'budget_reached', message: tooMuch });
  expect(
    (await find()).data?.clients?.map(({ client, monthly }) => [client?.name, monthly]),
  ).toEqual([
    ['Bakery', 17],
    ['Cinema', 0],
  ]);

  // A plan that moves within the client is in its budget already, one that leaves for another isn’t.
  for (const other of ['mia.two', 'mia.three']) {
    deps.network.addAccount(other);
    await owner.client.call(CALLS.addAccount, { userId, igUsername: other });
  }
  await put(bakery, 'mia.two');
  await put(cinema, 'mia.three');
  await limit(bakery, 17);
  const move = async (oldIgUsername: string, igUsername: string) =>
    (await owner.client.call(CALLS.updateUsername, { userId, oldIgUsername, igUsername })).body;
  expect((await move(name, 'mia.three')).message).toContain('the budget for Cinema is $16.00');
  expect((await move(name, 'mia.two')).code).toBeUndefined();

  await limit(cinema, 17);
  const gone = (await owner.client.call(CALLS.mergeClients, merge)).body;
  expect(gone.code).toBeUndefined();
  // What the account has cost came along, and the other budget is gone.
  expect((await find()).data?.clients).toEqual([
    { igUsername: null, ...ofClient(cinema, 'Cinema'), limit: 17, spent: 17, due: 0, monthly: 17 },
  ]);
  expect((await limit(cinema, null)).data?.budgets[0]?.limit).toBeNull();
  expect((await find()).data?.clients).toEqual([]);
});

test('what was bought outside a client’s budget isn’t brought into it the same month', async () => {
  const owner = await registerCustomer(app, deps, 'noa');
  await payPlan(deps, owner);
  const { id: userId, defaultIgUsername: name } = owner.user;
  const bakery = await makeClient(owner, 'Bakery');
  const put = async (clientId: string | null, igUsername = name) => {
    const input = { userId, igUsernames: [igUsername], clientId };
    return (await owner.client.call(CALLS.setClient, input)).body;
  };
  await put(bakery);
  await owner.client.call(CALLS.saveBudget, { userId, clientId: bakery, limit: 20 });
  expect((await changePlanTo(owner, 3)).code).toBe('budget_reached');
  // Outside it is bought, and stopped, so that the plan costs nothing from the next month on.
  await put(null);
  expect((await changePlanTo(owner, 3)).code).toBeUndefined();
  const stopped = await owner.client.call(CALLS.cancelSubscription, { userId, igUsername: name });
  expect(stopped.body.code).toBeUndefined();
  const back = await put(bakery);
  expect(back).toMatchObject({ code: 'budget_reached' });
  expect(back.message).toMatch(/With these accounts, Bakery would cost \$\d+\.\d\d this month/);
  // One that has cost nothing may come, whatever is spent.
  deps.network.addAccount('noa.two');
  await owner.client.call(CALLS.addAccount, { userId, igUsername: 'noa.two' });
  expect((await put(bakery, 'noa.two')).code).toBeUndefined();
});
