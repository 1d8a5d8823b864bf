import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { ApiResponse } from '#test/calls/api-client.ts';
import { hearGateway } from '#test/money/gateway-fixture.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** What a payment with the saved card may meet, for a plan of another account and for a pack. */
let deps: TestDeps;
let app: Hono;
let ada: Payer;
let savedCard: string;
let charges: number;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await payer(app, deps, 'ada');
  await connect('unpaid');
  const { body } = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  savedCard = body.data?.billingInfo?.ccNum ?? '';
});
beforeEach(() => {
  // Each test has the checkouts of a fresh hour.
  deps.clock.advance(LIMITS.checkout.perMs);
  charges = deps.gateway.charges.length;
});
afterAll(() => deps.database.close());

async function connect(igUsername: string): Promise<void> {
  deps.network.addAccount(igUsername);
  await ada.client.call(CALLS.addAccount, { userId: ada.user.id, igUsername });
}

/** Without a key of its own the same form is another purchase 10 s later. */
const OTHER_PURCHASE_MS = 11_000;

const payPlan = (changes: object = {}, headers: Record<string, string> = {}) => {
  deps.clock.advance(OTHER_PURCHASE_MS);
  const plan = { userId: ada.user.id, igUsername: 'unpaid', packageIndex: 1, savedCard };
  return ada.client.call(CALLS.addSubscriptionWithSavedCard, { ...plan, ...changes }, headers);
};
const payPack = (changes: object = {}, headers: Record<string, string> = {}) => {
  deps.clock.advance(OTHER_PURCHASE_MS);
  const pack = { userId: ada.user.id, amount: 10, credits: 2500, savedCard };
  return ada.client.call(CALLS.buyCreditsWithSavedCard, { ...pack, ...changes }, headers);
};
const codeOf = ({ body }: ApiResponse) => body.code;

test.each(['card_invalid', 'card_declined', 'insufficient_funds'] as const)(
  'the bank says %s: nothing was bought',
  async (code) => {
    for (const pay of [payPlan, payPack]) {
      deps.gateway.queueFailure({ kind: 'declined', code });
      expect(codeOf(await pay())).toBe(code);
    }
  },
);

test('another price, another card and another account are refused before anything is charged', async () => {
  expect(codeOf(await payPlan({ amount: 1 }))).toBe('amount_mismatch');
  expect(codeOf(await payPack({ amount: 1 }))).toBe('amount_mismatch');
  expect(codeOf(await payPlan({ savedCard: '•••999' }))).toBe('not_found');
  expect(codeOf(await payPack({ savedCard: '•••999' }))).toBe('not_found');
  expect(codeOf(await payPlan({ igUsername: 'nobodys' }))).toBe('not_found');
  expect(codeOf(await payPlan({ igUsername: 'ada' }))).toBe('account_already_subscribed');
  expect(deps.gateway.charges).toHaveLength(charges);
});

test('without a reading of the account a plan charges nothing', async () => {
  deps.network.queueRead({ kind: 'unreadable', usage: undefined });
  expect(codeOf(await payPlan())).toBe('account_unreadable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
  expect(codeOf(await payPlan())).toBe('network_throttled');
  deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
  expect(codeOf(await payPlan())).toBe('network_unreachable');
  expect(deps.gateway.charges).toHaveLength(charges);
});

test('what the gateway refuses as such is not the customer’s doing, and nothing is charged', async () => {
  for (const pay of [payPlan, payPack]) {
    deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
    expect(codeOf(await pay())).toBe('payment_unavailable');
  }
});

test('a lost answer is being checked, and another purchase under its key is none', async () => {
  for (const [name, pay] of Object.entries({ payPlan, payPack })) {
    deps.gateway.loseAnswers(1);
    const key = { 'idempotency-key': name };
    expect(codeOf(await pay({}, key))).toBe('payment_unknown');
    const other = name === 'payPlan' ? { packageIndex: 2 } : { credits: 5000, amount: 20 };
    expect(codeOf(await pay(other, key))).toBe('idempotency_conflict');
    deps.clock.advance(60_000);
    expect((await pay({}, key)).httpStatus).toBe(200);
  }
  expect(deps.gateway.charges).toHaveLength(charges + 2);
});

test('beyond the limit of checkouts, and with a disputed card, nothing is charged', async () => {
  await connect('third');
  const third = { igUsername: 'third' };
  const use = { ...LIMITS.checkout, key: ada.workspaceId };
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, use);
  expect(codeOf(await payPlan(third))).toBe('rate_limited');
  expect(codeOf(await payPack())).toBe('rate_limited');
  deps.clock.advance(use.perMs);
  deps.gateway.openDispute(deps.gateway.charges[0]?.gatewayChargeId ?? '');
  await hearGateway(deps);
  expect(codeOf(await payPlan(third))).toBe('card_disputed');
  expect(codeOf(await payPack())).toBe('card_disputed');
  expect(deps.gateway.charges).toHaveLength(charges);
});
