import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const PLANS = 7;
const AT_ONCE = 3;

let deps: TestDeps;
let agency: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  agency = await registerCustomer(createApp(deps), deps, 'client0');
  await payPlan(deps, agency, 'client0');
  for (let n = 1; n < PLANS; n += 1) {
    const igUsername = `client${n}`;
    deps.network.addAccount(igUsername);
    await agency.client.call(CALLS.addAccount, { userId: agency.user.id, igUsername });
    deps.clock.advance(3_600_000);
    await payPlan(deps, agency, igUsername);
  }
});
afterAll(() => deps.database.close());

async function states(): Promise<Record<string, number>> {
  const rows = await deps.database.db.selectFrom('subscription').select('state').execute();
  const count: Record<string, number> = {};
  for (const { state } of rows) count[state] = (count[state] ?? 0) + 1;
  return count;
}

const charged = (): number =>
  deps.gateway.charges.filter((each) => each.state === 'succeeded').length;

test('of many plans that are due a new card pays a few at once, and the job the rest, each once', async () => {
  deps.clock.advance(32 * DAY_MS);
  const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
  deps.gateway.queueFailure(...Array.from({ length: PLANS }, () => declined));
  await runDue(deps);
  expect(await states()).toEqual({ 'Past due': PLANS });
  await agency.client.call(CALLS.login, { email: agency.user.email, password: PASSWORD });
  const before = charged();
  const form = { userId: agency.user.id, ...CARD_FORM, ccNum: '5555555555554444' };
  const replaced = await agency.client.call(CALLS.replaceBillingInfo, form);
  expect(replaced.body.message).toBe(
    'Your card has been replaced, and the payments that are due are being charged.',
  );
  expect(await states()).toEqual({ Active: AT_ONCE, 'Past due': PLANS - AT_ONCE });
  expect(charged() - before).toBe(AT_ONCE);
  await runDue(deps);
  expect(await states()).toEqual({ Active: PLANS });
  expect(charged() - before).toBe(PLANS);
});
