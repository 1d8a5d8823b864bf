import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { ApiClient, type ApiResponse } from '#test/calls/api-client.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { PASSWORD, registration } from '#test/people/customers.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';
import { isWithinLimit, type Limit, LIMITS } from '#server/identity/limits/rate-limit.ts';

/** Errors of calls that no flow of their own meets; each with the sentence the customer reads. */
let deps: TestDeps;
let app: Hono;
/** Has a plan; what the tests leave of it is as it was. */
let ada: Payer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await payer(app, deps, 'ada');
});
afterAll(() => deps.database.close());

const named = () => ({ userId: ada.user.id, igUsername: 'ada' });
const form = (igUsername: string) => ({ ...filledForm({ userId: ada.user.id, igUsername }) });
const card = () => {
  const { igUsername: _name, packageIndex: _plan, ...fields } = form('ada');
  return fields;
};
const UNPAID = /^Payments aren’t working right now. You were not charged./;
const CHECKED = 'Your payment is being checked. Please do not pay again.';
const OFTEN = /^Too many tries. Please try again in \d+ (seconds|minutes)\.$/;

function expectError(answer: ApiResponse, code: ErrorCode, sentence: RegExp | string): void {
  expect(answer.body.code).toBe(code);
  expect(answer.body.message).toMatch(sentence);
  expect(answer.body.data).toBeUndefined();
}

/** Uses a limit up, asks, and lets its window pass: how many were refused, and how many charges that made. */
async function beyond(
  use: Limit,
  key: string,
  ask: () => Promise<ApiResponse[]>,
): Promise<{ refused: number; charged: number }> {
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, { ...use, key });
  const before = deps.gateway.charges.length;
  const answers = await ask();
  for (const answer of answers) {
    expect(answer.httpStatus).toBe(429);
    expectError(answer, 'rate_limited', OFTEN);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  deps.clock.advance(use.perMs);
  return { refused: answers.length, charged: deps.gateway.charges.length - before };
}

async function quote(packageIndex: number): Promise<string> {
  const { body } = await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex });
  if (!body.data) throw new Error(`no quote: ${String(body.code)}`);
  return body.data.quoteId;
}

const changePlan = (quoteId: string) => {
  const headers = { 'idempotency-key': quoteId };
  return ada.client.call(CALLS.changePlan, { userId: ada.user.id, quoteId }, headers);
};

test('when too many passwords are being checked, every call that needs one says so and does nothing', async () => {
  const busy = createApp(deps, { passwords: { concurrency: 0, waiting: 0 } });
  const { email } = ada.user;
  const recovering = new ApiClient(app);
  await recovering.call(CALLS.verifyUserAndSendEmail, { email });
  await recovering.call(CALLS.verifyOtp, { email, otp: await newestCode(deps) });
  const client = new ApiClient(busy);
  for (const name of ['ovation', 'ovation-recovery']) {
    client.setCookie(name, (name === 'ovation' ? ada.client : recovering).cookie(name) ?? '');
  }
  const { id: userId } = ada.user;
  const password = 'quite another long phrase';
  deps.network.addAccount('newcomer');
  const answers = [
    await client.call(CALLS.login, { email, password: PASSWORD }),
    await client.call(CALLS.register, registration('newcomer')),
    await client.call(CALLS.changePassword, { email, password }),
    await client.call(CALLS.updatePassword, { userId, currentPassword: PASSWORD, password }),
    await client.call(CALLS.deleteAccount, { userId, password: PASSWORD }),
  ];
  for (const answer of answers) {
    expect(answer.httpStatus).toBe(503);
    expectError(
      answer,
      'overloaded',
      'Many people are logging in right now. Please try again in a moment.',
    );
  }
  const again = await new ApiClient(app).call(CALLS.login, { email, password: PASSWORD });
  expect(again.httpStatus).toBe(200);
});

test('beyond the limit of checkouts nothing that costs money is even begun', async () => {
  const quoteId = await quote(3);
  deps.network.addAccount('ada.unpaid');
  await ada.client.call(CALLS.addAccount, { userId: ada.user.id, igUsername: 'ada.unpaid' });
  const asked = await beyond(LIMITS.checkout, ada.workspaceId, async () => [
    await ada.client.call(CALLS.addSubscription, form('ada.unpaid')),
    await changePlan(quoteId),
    await ada.client.call(CALLS.replaceBillingInfo, card()),
  ]);
  expect(asked).toEqual({ refused: 3, charged: 0 });
});

test('beyond the limit of look-ups the network is not asked', async () => {
  const { id: userId, defaultIgId: igId } = ada.user;
  const settings = { automaticLikes: false, speed: 'Instant', range: null } as const;
  const off = await ada.client.call(CALLS.saveDeliverySettings, { userId, igId, settings });
  expect(off.httpStatus).toBe(200);
  const on = { ...settings, automaticLikes: true };
  deps.network.addAccount('renamed');
  const reads = () => deps.network.calls.length;
  const before = reads();
  await beyond(LIMITS.lookUp, ada.workspaceId, async () => [
    await ada.client.call(CALLS.addAccount, { userId, igUsername: 'renamed' }),
    await ada.client.call(CALLS.updateUsername, {
      userId,
      oldIgUsername: 'ada',
      igUsername: 'renamed',
    }),
    await ada.client.call(CALLS.saveDeliverySettings, { userId, igId, settings: on }),
  ]);
  expect(reads()).toBe(before);
  await ada.client.call(CALLS.saveDeliverySettings, { userId, igId, settings: on });
});

test('guesses of the password, and questions to support, are limited too', async () => {
  const { id: userId } = ada.user;
  const { body } = await ada.client.call(CALLS.findSessions, { userId });
  const sessionId = body.data?.find(({ isThis }) => isThis)?.id ?? '';
  const guessed = await beyond(LIMITS.passwordCheck, sessionId, async () => [
    await ada.client.call(CALLS.deleteAccount, { userId, password: PASSWORD }),
  ]);
  const visitor = new ApiClient(app, { address: '203.0.113.7' });
  const ask = (message: string) =>
    visitor.call(CALLS.addTicket, { name: 'Bo', email: 'bo@example.test', message });
  const asked = await beyond(LIMITS.ticket, '203.0.113.7', async () => [await ask('One more?')]);
  expect([guessed.refused, asked.refused]).toEqual([1, 1]);
});

test('without a reading of the account, or without the gateway, a checkout charges nothing and says why', async () => {
  deps.network.addAccount('unpaid');
  const { id: userId } = ada.user;
  await ada.client.call(CALLS.addAccount, { userId, igUsername: 'unpaid' });
  const buy = () => ada.client.call(CALLS.addSubscription, form('unpaid'));
  const charges = deps.gateway.charges.length;
  deps.network.queueRead({ kind: 'unreadable', usage: undefined });
  expectError(await buy(), 'account_unreadable', /@unpaid/);
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
  expectError(await buy(), 'network_throttled', /You were not charged. Please try again shortly\./);
  deps.clock.advance(DAY_MS / 24);
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  expectError(await buy(), 'payment_unavailable', UNPAID);
  expect(deps.gateway.charges.length).toBe(charges);
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  const replaced = await ada.client.call(CALLS.replaceBillingInfo, card());
  expectError(replaced, 'payment_unavailable', UNPAID);
});

test('a plan change whose price has changed, or that the gateway refuses, charges nothing', async () => {
  const charges = deps.gateway.charges.length;
  const late = await quote(3);
  deps.clock.advance(15 * 60_000);
  expectError(await changePlan(late), 'price_changed', /^The price has changed since you saw it\./);
  const quoteId = await quote(4);
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  expectError(await changePlan(quoteId), 'payment_unavailable', UNPAID);
  expect(deps.gateway.charges.length).toBe(charges);
});

test('while a payment is being checked, the plan can’t be quoted, changed or paused', async () => {
  const [quoteId, other] = [await quote(4), await quote(3)];
  deps.gateway.loseAnswers(1);
  expectError(await changePlan(quoteId), 'payment_unknown', CHECKED);
  const until = new Date(deps.clock.now() + 3 * DAY_MS).toISOString();
  expectError(await changePlan(other), 'payment_unknown', CHECKED);
  expectError(
    await ada.client.call(CALLS.quotePlan, { ...named(), packageIndex: 3 }),
    'payment_unknown',
    CHECKED,
  );
  expectError(
    await ada.client.call(CALLS.pauseSubscription, { ...named(), until }),
    'payment_unknown',
    CHECKED,
  );
  // A moment later the same attempt learns its end.
  deps.clock.advance(60_000);
  expect((await changePlan(quoteId)).body.message).toBe('Your plan has been changed.');
});

test('a card that is being replaced elsewhere, without an end, is being checked', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const saveCard: typeof deps.gateway.saveCard = async (request) => {
    begun.resolve();
    await held;
    return deps.gateway.saveCard(request);
  };
  const other = new ApiClient(createApp({ ...deps, gateway: { ...deps.gateway, saveCard } }));
  other.setCookie('ovation', ada.client.cookie('ovation') ?? '');
  const headers = { 'idempotency-key': 'held-card' };
  const first = other.call(CALLS.replaceBillingInfo, card(), headers);
  await begun.promise;
  const second = other.call(CALLS.replaceBillingInfo, card(), headers);
  const stop = setInterval(() => deps.clock.advance(5000), 5);
  expectError(await second, 'payment_unknown', CHECKED);
  clearInterval(stop);
  release();
  expect((await first).body.status).toBe('success');
});
