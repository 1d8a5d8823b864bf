import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { createExpiryJob } from '#server/use-cases/customers/expiry.job.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
});
afterAll(() => deps.database.close());

const named = () => ({ userId: ada.user.id, igUsername: 'ada' });
const card = (changes = {}) => {
  const {
    igUsername: _name,
    packageIndex: _plan,
    ...form
  } = filledForm({ userId: ada.user.id, igUsername: 'ada' }, changes);
  return form;
};

test('without a plan every cancellation, pause and quote says so', async () => {
  for (const call of [
    CALLS.cancelSubscription,
    CALLS.stopSubscription,
    CALLS.resumeSubscription,
    CALLS.keepPlan,
    CALLS.moneyBack,
  ]) {
    const { httpStatus, body } = await ada.client.call(call, named());
    expect([httpStatus, body.code, body.message]).toEqual([404, 'not_found', '@ada has no plan.']);
  }
  const quote = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 2 });
  expect([quote.httpStatus, quote.body.code]).toEqual([404, 'not_found']);
  const stranger = await ada.client.call(CALLS.stopSubscription, {
    ...named(),
    igUsername: 'nobody',
  });
  expect([stranger.httpStatus, stranger.body.code]).toEqual([404, 'not_found']);
});

// Shows fact 7.16.
test('a plan is quoted, changed, paused, resumed and canceled over HTTP', async () => {
  const form = filledForm({ userId: ada.user.id, igUsername: 'ada' });
  deps.network.queueRead({ kind: 'unreachable', reason: 'reset', usage: undefined });
  const away = await ada.client.call(CALLS.addSubscription, form);
  expect([away.httpStatus, away.body.code]).toEqual([503, 'network_unreachable']);
  await ada.client.call(CALLS.addSubscription, form);
  const same = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 2 });
  expect([same.httpStatus, same.body.code]).toEqual([409, 'subscription_state']);
  const bad = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 10 });
  expect([bad.httpStatus, bad.body.fields]).toEqual([
    400,
    { packageIndex: 'Please choose a plan' },
  ]);

  const { body: quote } = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 3 });
  expect(quote.data).toMatchObject({
    starts: 'now',
    price: 24,
    unusedDays: 29,
    periodDays: 30,
    unused: 16.43,
    totalToday: 7.57,
  });
  const changed = await ada.client.call(CALLS.changePlan, {
    userId: ada.user.id,
    quoteId: quote.data?.quoteId ?? '',
  });
  expect(changed.body).toMatchObject({
    status: 'success',
    message: 'Your plan has been changed.',
    data: { connectedAccounts: [{ accountPackageId: 3, subscriptionState: 'Active' }] },
  });

  const down = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 1 });
  expect(down.body.data).toMatchObject({ starts: 'next_due_date', totalToday: 0, unused: 0 });
  const planned = await ada.client.call(CALLS.changePlan, {
    userId: ada.user.id,
    quoteId: down.body.data?.quoteId ?? '',
  });
  const account = planned.body.data?.connectedAccounts[0];
  expect(account).toMatchObject({
    accountPackageId: 3,
    nextPackageId: 1,
    nextPackageFrom: account?.nextBillingDate,
  });
  const kept = await ada.client.call(CALLS.keepPlan, named());
  expect(kept.body.data?.connectedAccounts[0]).toMatchObject({
    nextPackageId: null,
    nextPackageFrom: null,
  });
  expect((await ada.client.call(CALLS.keepPlan, named())).httpStatus).toBe(200);

  const past = await ada.client.call(CALLS.pauseSubscription, {
    ...named(),
    until: '2020-01-01T00:00:00.000Z',
  });
  expect([past.httpStatus, Object.keys(past.body.fields ?? {})]).toEqual([400, ['until']]);
  const until = new Date(deps.clock.now() + 3 * DAY_MS).toISOString();
  const paused = await ada.client.call(CALLS.pauseSubscription, { ...named(), until });
  expect(paused.body.message).toMatch(
    /^Likes stop on .*, and start again on .* Your next charge is on /,
  );
  expect(paused.body.data?.connectedAccounts[0]).toMatchObject({
    subscriptionState: 'Active',
    pausesAt: expect.any(String) as string,
    resumesAt: expect.any(String) as string,
  });
  const resumed = await ada.client.call(CALLS.resumeSubscription, named());
  expect(resumed.body.message).toMatch(
    /^Your plan will keep renewing\. Your next charge is on .*\d{4}\.$/,
  );
  expect(resumed.body.data?.connectedAccounts[0]).toMatchObject({
    pausesAt: null,
    resumesAt: null,
  });

  const canceled = await ada.client.call(CALLS.cancelSubscription, named());
  expect(canceled.body.message).toMatch(
    /^Your plan stops on .*\d{4}\. You’ve paid until then, and you won’t be charged again\.$/,
  );
  expect((await ada.client.call(CALLS.resumeSubscription, named())).httpStatus).toBe(200);
});

test('a replaced card pays what is past due at once', async () => {
  const bad = await ada.client.call(CALLS.replaceBillingInfo, card({ ccNum: '4000000000000002' }));
  expect([bad.httpStatus, bad.body.code]).toEqual([402, 'card_declined']);
  const over = await ada.client.call(CALLS.replaceBillingInfo, card({ ccMonth: 1, ccYear: 2026 }));
  expect([over.httpStatus, over.body.code]).toEqual([400, 'card_invalid']);

  deps.clock.advance(31 * DAY_MS);
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  await runDue(deps);
  const login = { email: ada.user.email, password: 'correct horse battery' };
  const { body } = await ada.client.call(CALLS.login, login);
  expect(body.data?.connectedAccounts[0]?.subscriptionState).toBe('Past due');
  const poor = await ada.client.call(CALLS.replaceBillingInfo, card({ ccNum: '4000000000009995' }));
  expect(poor.body.message).toBe(
    'Your card has been replaced, but a payment that’s due hasn’t gone through yet.',
  );
  const good = await ada.client.call(CALLS.replaceBillingInfo, card({ ccNum: '5555555555554444' }));
  expect(good.body).toMatchObject({
    message: 'Your card has been replaced, and the payment that was due went through.',
    data: {
      billingInfo: { ccNum: '•••••••••••••444' },
      connectedAccounts: [{ subscriptionState: 'Active' }],
    },
  });
});

test('a new card sent twice, at once and again, is saved once; with another form it is a conflict', async () => {
  const countCards = async () => {
    const rows = await deps.database.db.selectFrom('card').select('id').execute();
    return rows.length;
  };
  const before = await countCards();
  const headers = { 'idempotency-key': 'card-form-1' };
  const send = (changes = {}) =>
    ada.client.call(
      CALLS.replaceBillingInfo,
      card({ ccNum: '5555555555554444', ...changes }),
      headers,
    );
  const [first, duplicate] = await Promise.all([send(), send()]);
  expect(first.body).toMatchObject({ status: 'success', message: 'Your card has been replaced.' });
  expect(duplicate.body).toEqual(first.body);
  expect((await send()).body).toEqual(first.body);
  expect(await countCards()).toBe(before + 1);
  const other = await send({ ccName: 'Other Name' });
  expect([other.httpStatus, other.body.code]).toEqual([409, 'idempotency_conflict']);
});

test('money back answers what comes back and when, and again the same', async () => {
  const late = await ada.client.call(CALLS.moneyBack, named());
  expect([late.httpStatus, late.body.code]).toEqual([409, 'money_back_over']);
  await ada.client.call(CALLS.stopSubscription, named());
  const form = filledForm({ userId: ada.user.id, igUsername: 'ada' });
  await ada.client.call(CALLS.addSubscription, form);
  const { body } = await ada.client.call(CALLS.moneyBack, named());
  expect(body).toMatchObject({
    status: 'success',
    message: 'Your plan has stopped, and $17.00 is going back to your card.',
    data: {
      state: 'Requested',
      amount: 17,
      approvedBy: new Date(deps.clock.now() + 3 * DAY_MS).toISOString(),
      user: { connectedAccounts: [{ subscriptionState: 'Canceled' }] },
    },
  });
  expect((await ada.client.call(CALLS.moneyBack, named())).body).toEqual(body);
});

test('the requests for money back are listed with their state, and nobody else’s', async () => {
  const { body } = await ada.client.call(CALLS.findMoneyBacks, { userId: ada.user.id });
  expect(body.data).toEqual([
    expect.objectContaining({
      igUsername: 'ada',
      state: 'Requested',
      amount: 17,
      approvedBy: new Date(deps.clock.now() + 3 * DAY_MS).toISOString(),
      paidAt: null,
    }),
  ]);
  const foreign = '00000000-0000-4000-8000-000000000000';
  const refused = await ada.client.call(CALLS.findMoneyBacks, { userId: foreign });
  expect(refused.httpStatus).toBe(403);
});

test('pauses, cancellations and what takes them back end at twenty in ten minutes, and so do their mails', async () => {
  const cy = await registerCustomer(app, deps, 'cy');
  const of = { userId: cy.user.id, igUsername: 'cy' };
  await cy.client.call(CALLS.addSubscription, filledForm(of));
  const mails = async (): Promise<number> => {
    const rows = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
    return rows.filter(({ payload }) => /_(ending|resumed)$/.test(payload.kind)).length;
  };
  const before = await mails();
  const told: number[] = [];
  for (let n = 0; n < 15; n += 1) {
    told.push((await cy.client.call(CALLS.cancelSubscription, of)).httpStatus);
    told.push((await cy.client.call(CALLS.resumeSubscription, of)).httpStatus);
  }
  expect(told).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
  expect((await mails()) - before).toBe(20);
  const until = new Date(deps.clock.now() + DAY_MS).toISOString();
  const paused = await cy.client.call(CALLS.pauseSubscription, { ...of, until });
  expect([paused.httpStatus, paused.body.code]).toEqual([429, 'rate_limited']);
  const kept = await cy.client.call(CALLS.keepPlan, of);
  expect([kept.httpStatus, kept.body.code]).toEqual([429, 'rate_limited']);
  expect(paused.body.message).toMatch(/^Too many tries\. Please try again in /);
  // The way out is never closed.
  expect((await cy.client.call(CALLS.stopSubscription, of)).httpStatus).toBe(200);
});

test('prices are asked for thirty times in ten minutes, and those that are over are swept up', async () => {
  const dov = await registerCustomer(app, deps, 'dov');
  const of = { userId: dov.user.id, igUsername: 'dov' };
  await dov.client.call(CALLS.addSubscription, filledForm(of));
  const asked = { ...of, packageIndex: 3 };
  for (let n = 0; n < 30; n += 1) {
    expect((await dov.client.call(CALLS.quotePlan, asked)).httpStatus).toBe(200);
  }
  const over = await dov.client.call(CALLS.quotePlan, asked);
  expect([over.httpStatus, over.body.code]).toEqual([429, 'rate_limited']);

  deps.clock.advance(11 * 60_000);
  const { body } = await dov.client.call(CALLS.quotePlan, asked);
  const used = body.data?.quoteId ?? '';
  await dov.client.call(CALLS.changePlan, { userId: dov.user.id, quoteId: used });
  await sweep();
  expect(await quotesOf(dov)).toHaveLength(31);
  deps.clock.advance(2 * 3_600_000);
  await sweep();
  expect(await quotesOf(dov)).toEqual([used]);
  deps.clock.advance(31 * DAY_MS);
  await sweep();
  expect(await quotesOf(dov)).toEqual([]);
});

async function quotesOf({ user }: Customer): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('plan_quote')
    .innerJoin('app_user', 'app_user.workspace_id', 'plan_quote.workspace_id')
    .select('plan_quote.id')
    .where('app_user.id', '=', user.id)
    .execute();
  return rows.map(({ id }) => id);
}

/** One round of the clean-up: it ends when it would pause. */
async function sweep(): Promise<void> {
  const stop = new AbortController();
  const clock = { now: () => deps.clock.now(), sleep: async () => stop.abort() };
  await createExpiryJob({ ...deps, clock }).run(stop.signal);
}
