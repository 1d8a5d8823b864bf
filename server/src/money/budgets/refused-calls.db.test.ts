import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { type Customer, PASSWORD } from '#test/people/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { changePlanTo, payer } from '#test/money/paying-customer.ts';
import { live } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps({ clock: new FakeClock('2027-07-28T12:00:00Z') });
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const key = () => ({ 'idempotency-key': deps.ids.uuid() });
const save = ({ client, user }: Customer, limit: number) =>
  client.call(CALLS.saveBudget, { userId: user.id, limit });
const budgetOf = async ({ client, user }: Customer) =>
  (await client.call(CALLS.findBudgets, { userId: user.id })).body.data?.budgets[0];

test('neither a plan nor a pack is bought beyond it, with a new card or the saved one', async () => {
  const owner = await payer(app, deps, 'gil');
  deps.network.addAccount('gil.two');
  const { client, user } = owner;
  const plan = { userId: user.id, igUsername: 'gil.two', packageIndex: 2 };
  await client.call(CALLS.addAccount, plan);
  await save(owner, 20);
  const { body } = await client.call(CALLS.findUser, { userId: user.id });
  const savedCard = body.data?.billingInfo?.ccNum ?? '';
  const pack = { userId: user.id, credits: 2500, amount: 10 };
  const answers = await Promise.all([
    client.call(CALLS.addSubscription, { ...plan, ...CARD_FORM }),
    client.call(CALLS.addSubscriptionWithSavedCard, { ...plan, savedCard }),
    client.call(CALLS.buyCreditsWithSavedCard, { ...pack, savedCard }),
  ]);
  const codes = answers.map((answer) => answer.body.code);
  expect(codes).toEqual(['budget_reached', 'budget_reached', 'budget_reached']);
});

test('a smaller plan that is to come can’t be taken back when the budget is for the smaller one', async () => {
  const owner = await payer(app, deps, 'ged');
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  await save(owner, 16);
  const { id: userId, defaultIgUsername: igUsername } = owner.user;
  const keep = () => owner.client.call(CALLS.keepPlan, { userId, igUsername });
  expect((await keep()).body.code).toBe('budget_reached');
  await save(owner, 17);
  expect((await keep()).body.code).toBeUndefined();
});

test('while an upgrade waits at its bank, the renewal that is due without it keeps its place', async () => {
  const owner = await payer(app, deps, 'ivo');
  const { client, user } = owner;
  const replaced = { userId: user.id, ...CARD_FORM, ...ASKING_CARD };
  const same = key();
  deps.gateway.confirmAtBank(bankIdOf(await client.call(CALLS.replaceBillingInfo, replaced, same)));
  await client.call(CALLS.replaceBillingInfo, replaced, same);
  await live(deps, 5 * DAY_MS, 5 * DAY_MS);
  await client.call(CALLS.login, { email: user.email, password: PASSWORD });
  await save(owner, 24);
  expect(await budgetOf(owner)).toMatchObject({ spent: 0, due: 17 });
  expect((await changePlanTo(owner, 3)).code).toBe('payment_needs_action');
  const { spent = 0, due = 0 } = (await budgetOf(owner)) ?? {};
  expect(spent).toBeGreaterThan(0);
  expect(spent + due).toBeCloseTo(17);
  const pack = { userId: user.id, credits: 2500, amount: 10, ...CARD_FORM };
  const bought = await client.call(CALLS.buyCredits, pack, key());
  expect(bought.body.code).toBe('budget_reached');
});
