import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import { createApp } from '#server/main/app.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const DEFAULTS: DeliverySettings = { automaticLikes: true, speed: 'Instant', range: null };
const find = ({ client, user }: Customer, igId = user.defaultIgId) =>
  client.call(CALLS.findDeliverySettings, { userId: user.id, igId });
const save = ({ client, user }: Customer, changes: Partial<DeliverySettings>) =>
  client.call(CALLS.saveDeliverySettings, {
    userId: user.id,
    igId: user.defaultIgId,
    settings: { ...DEFAULTS, ...changes },
  });
const baseline = ({ user }: Customer) =>
  deps.database.db
    .selectFrom('subscription')
    .select(['baseline_read_at', 'baseline_post_ids'])
    .where('ig_id', '=', user.defaultIgId)
    .executeTakeFirstOrThrow();

// Shows fact 7.16.
test('settings begin as on, instant, without a range, and are kept as saved', async () => {
  const ada = await registerCustomer(app, deps, 'ada');
  const { body } = await find(ada);
  expect(body).toEqual({
    status: 'success',
    data: { settings: DEFAULTS, backlogMinutes: 0, planLikes: null },
  });
  const settings = {
    automaticLikes: false,
    speed: '4 Hours',
    range: { min: 10, max: 1000 },
  } as const;
  expect((await save(ada, settings)).body.data?.settings).toEqual(settings);
  expect((await find(ada)).body.data?.settings).toEqual(settings);
});

test('settings of one account leave those of another alone', async () => {
  const two = await registerCustomer(app, deps, 'has.two');
  const { igId } = deps.network.addAccount('has.two.too');
  await two.client.call(CALLS.addAccount, { userId: two.user.id, igUsername: 'has.two.too' });
  await save(two, { speed: '4 Hours' });
  expect((await find(two, igId)).body.data?.settings).toEqual(DEFAULTS);
});

// Shows fact 2.65.
test('the plan’s likes and the provider’s backlog stand beside the settings', async () => {
  const ben = await registerCustomer(app, deps, 'ben');
  await payPlan(deps, ben);
  deps.provider.setCapacity({ members: 5, perHour: 10, backlogMinutes: 90 });
  expect((await find(ben)).body.data).toMatchObject({ backlogMinutes: 90, planLikes: 100 });
  deps.provider.queueFailure({ kind: 'unavailable', reason: 'down' });
  expect((await find(ben)).body.data).toMatchObject({ backlogMinutes: 0 });
});

// Shows facts 2.66, 5.28.
test.each([
  [{ min: 9, max: 50 }, 'Please enter a number from 10 to 1000'],
  [{ min: 10, max: 1001 }, 'Please enter a number from 10 to 1000'],
  [{ min: 60, max: 50 }, 'The minimum can’t be higher than the maximum'],
])('the range %j is refused', async (range, message) => {
  const name = `range${range.min}.${range.max}`;
  const customer = await registerCustomer(app, deps, name);
  const { httpStatus, body } = await save(customer, { range });
  expect(httpStatus).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_input', message });
  expect((await find(customer)).body.data?.settings).toEqual(DEFAULTS);
});

test('switching automatic likes on takes the baseline again, saving otherwise doesn’t', async () => {
  const cem = await registerCustomer(app, deps, 'cem');
  await payPlan(deps, cem);
  const first = await baseline(cem);
  deps.clock.advance(60_000);
  await save(cem, { speed: '1 Hour' });
  await save(cem, { automaticLikes: false });
  expect(await baseline(cem)).toEqual(first);
  const meanwhile = deps.network.addPost('cem');
  deps.clock.advance(60_000);
  await save(cem, { automaticLikes: true });
  expect(await baseline(cem)).toEqual({
    baseline_read_at: new Date(deps.clock.now()),
    baseline_post_ids: [meanwhile.id],
  });
});

test('while the account can’t be read, automatic likes stay off', async () => {
  const dee = await registerCustomer(app, deps, 'dee');
  await payPlan(deps, dee);
  await save(dee, { automaticLikes: false });
  const usage = undefined;
  for (const [outcome, code] of [
    [{ kind: 'unreachable', reason: 'down', usage }, 'network_unreachable'],
    [{ kind: 'unreadable', usage }, 'account_unreadable'],
    [{ kind: 'throttled', retryAfterMs: 1000, usage }, 'network_throttled'],
  ] as const) {
    deps.network.queueRead(outcome);
    expect((await save(dee, {})).body.code).toBe(code);
  }
  expect((await find(dee)).body.data?.settings.automaticLikes).toBe(false);
  deps.clock.advance(3_600_000);
  expect((await save(dee, {})).httpStatus).toBe(200);
});

test('another customer’s account is refused', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  const gus = await registerCustomer(app, deps, 'gus');
  const { httpStatus, body } = await find(gus, fay.user.defaultIgId);
  expect(httpStatus).toBe(403);
  expect(body.code).toBe('not_yours');
});
