import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

test('a displaced plan’s pause that was planned for later counts as none', async () => {
  const igUsername = 'wanted';
  const app = createApp(deps);
  const owner = await registerCustomer(app, deps, igUsername);
  const stranger = await registerCustomer(app, deps, 'stranger');
  const theirs = { userId: stranger.user.id, igUsername };
  await stranger.client.call(CALLS.addAccount, theirs);
  await payPlan(deps, stranger, igUsername);
  const until = new Date(deps.clock.now() + 20 * DAY_MS).toISOString();
  const planned = await stranger.client.call(CALLS.pauseSubscription, { ...theirs, until });
  expect(planned.httpStatus).toBe(200);

  const own = { userId: owner.user.id, igUsername };
  const shown = await owner.client.call(CALLS.findOwnership, own);
  deps.network.change(igUsername, { biography: shown.body.data?.code ?? '' });
  await owner.client.call(CALLS.proveOwnership, own);
  const displacedAt = new Date(deps.clock.now());
  const paid = await owner.client.call(CALLS.addSubscription, {
    ...own,
    packageIndex: 2,
    ...CARD_FORM,
  });
  expect(paid.httpStatus).toBe(200);
  const pauses = await deps.database.db
    .selectFrom('subscription_pause')
    .select('pauses_at')
    .execute();
  expect(pauses).toEqual([{ pauses_at: displacedAt }]);
});

test('a displaced plan goes on once its account is free, whoever only waits at their bank for it', async () => {
  const igUsername = 'wanted_again';
  const app = createApp(deps);
  const owner = await registerCustomer(app, deps, igUsername);
  const stranger = await registerCustomer(app, deps, 'other.stranger');
  const own = { userId: owner.user.id, igUsername };
  const theirs = { userId: stranger.user.id, igUsername };
  await stranger.client.call(CALLS.addAccount, theirs);
  await payPlan(deps, stranger, igUsername);
  const shown = await owner.client.call(CALLS.findOwnership, own);
  deps.network.change(igUsername, { biography: shown.body.data?.code ?? '' });
  await owner.client.call(CALLS.proveOwnership, own);
  await payPlan(deps, owner, igUsername);
  const refused = await stranger.client.call(CALLS.resumeSubscription, theirs);
  expect(refused.httpStatus).not.toBe(200);
  await owner.client.call(CALLS.stopSubscription, own);
  const squatter = await newShopper(deps, igUsername, { onNetwork: false });
  const told = await createNode(deps)(squatter, 'form', ASKING_CARD);
  expect(wordOf(told)).toBe('payment_needs_action');
  expect((await stranger.client.call(CALLS.resumeSubscription, theirs)).httpStatus).toBe(200);
});
