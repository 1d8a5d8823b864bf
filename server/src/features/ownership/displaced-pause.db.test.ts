import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/app.ts';
import { CARD_FORM } from '#test/card-form.ts';
import { registerCustomer } from '#test/customers.ts';
import { payPlan } from '#test/paying-customer.ts';
import { DAY_MS } from '#test/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { fairTables } from '../fair-clock/fair-clock.table.ts';

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
  await payPlan(stranger, igUsername);
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
  const pauses = await fairTables(deps.database.db)
    .selectFrom('subscription_pause')
    .select('pauses_at')
    .execute();
  expect(pauses).toEqual([{ pauses_at: displacedAt }]);
});
