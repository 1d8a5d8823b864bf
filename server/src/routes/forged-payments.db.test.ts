import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { ApiResponse } from '#test/calls/api-client.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { keepNotices } from '#server/audit/audit-notices.job.ts';
import { createApp } from '#server/main/app.ts';

/** What a browser, or somebody in its place, may try where cards are entered in the gateway's own fields. */
const cardEntry = {
  way: 'gateway',
  publishableKey: 'pk_test_1',
  scriptUrl: 'https://js.stripe.com/endive/stripe.js',
} as const;
let deps: TestDeps;
let app: Hono;
type Named = Customer & { igUsername: string };
let ada: Named;
let eve: Named;
beforeAll(async () => {
  deps = await createTestDeps({ settings: { cardEntry } });
  app = createApp(deps);
  ada = { ...(await registerCustomer(app, deps, 'ada')), igUsername: 'ada' };
  eve = { ...(await registerCustomer(app, deps, 'eve')), igUsername: 'eve' };
});
afterAll(() => deps.database.close());

const tokenOf = (number: string): string =>
  deps.gateway.tokenOf({ number, name: 'Ada Example', month: 12, year: 2034 });
const PAYS = '4242424242424242';
const ASKS = '4000002760003184';

const plan = ({ user, igUsername }: Named, confirmationToken: string, more: object = {}) =>
  ({
    userId: user.id,
    igUsername,
    packageIndex: 2,
    confirmationToken,
    ...more,
  }) as CallInput<typeof CALLS.addSubscription>;

const subscribe = (customer: Customer, input: CallInput<typeof CALLS.addSubscription>) =>
  customer.client.call(CALLS.addSubscription, input, { 'idempotency-key': deps.ids.uuid() });

const wordOf = ({ httpStatus, body }: ApiResponse): string => `${httpStatus} ${String(body.code)}`;

/** What is in everybody's books. */
async function books(): Promise<object> {
  const { db } = deps.database;
  const count = async (table: 'charge' | 'subscription' | 'credits_transaction' | 'card') =>
    (await db.selectFrom(table).select('workspace_id').execute()).length;
  return {
    gateway: deps.gateway.charges.length,
    charges: await count('charge'),
    plans: await count('subscription'),
    payments: await count('credits_transaction'),
    cards: await count('card'),
  };
}

/** What the audit log tells of somebody's tries since then. */
async function audited({ user }: Customer, since: Date): Promise<string[]> {
  await keepNotices(deps);
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('actor', '=', user.id)
    .where('at', '>=', since)
    .orderBy('seq')
    .execute();
  return rows.map(({ action }) => action);
}

/** Runs a try a second later; what it changed, and what is written down about it. */
async function tried(
  by: Customer,
  attempt: () => Promise<ApiResponse>,
): Promise<{ word: string; told: string[] }> {
  deps.clock.advance(1000);
  const before = await books();
  const since = new Date(deps.clock.now());
  const word = wordOf(await attempt());
  expect(await books()).toEqual(before);
  return { word, told: await audited(by, since) };
}

test('another customer’s card, used before, and ones that are made up are refused and audited', async () => {
  const adas = tokenOf(PAYS);
  expect((await subscribe(ada, plan(ada, adas))).httpStatus).toBe(200);
  for (const token of [adas, 'pm_made_up', 'ctoken_other', 'seti_1_secret_2']) {
    expect(await tried(eve, () => subscribe(eve, plan(eve, token)))).toEqual({
      word: '400 card_invalid',
      told: ['card_token_refused'],
    });
  }
});

test('a token that is no token is refused before anybody is asked', async () => {
  const calls = deps.gateway.calls.length;
  for (const token of ['', 'pm 1', 'https://evil.example', `pm_${'x'.repeat(300)}`, PAYS]) {
    expect((await tried(eve, () => subscribe(eve, plan(eve, token)))).word).toMatch(/^400 /);
  }
  expect(deps.gateway.calls).toHaveLength(calls);
});

test('an amount changed in the browser is refused and audited', async () => {
  for (const more of [{ amount: '1.00' }, { price: '0.01' }, { credits: '6000' }]) {
    expect(await tried(eve, () => subscribe(eve, plan(eve, tokenOf(PAYS), more)))).toEqual({
      word: '400 amount_mismatch',
      told: ['amount_refused'],
    });
  }
  const pack = { userId: eve.user.id, amount: 1, credits: 2500, confirmationToken: tokenOf(PAYS) };
  const buy = () => eve.client.call(CALLS.buyCredits, pack);
  expect(await tried(eve, buy)).toEqual({ word: '400 amount_mismatch', told: ['amount_refused'] });
});

test('a return address elsewhere isn’t read: the bank leads back to the product', async () => {
  const elsewhere = 'https://evil.example/';
  const more = { returnUrl: elsewhere, return_url: elsewhere, url: elsewhere };
  const asked = await subscribe(eve, plan(eve, tokenOf(ASKS), more));
  expect(wordOf(asked)).toBe('402 payment_needs_action');
  const paymentId = asked.body.action?.paymentId;
  const { request } = deps.gateway.charges.at(-1) ?? {};
  expect(request?.presence).toEqual({
    kind: 'present',
    returnUrl: `${deps.settings.publicUrl}/payment-return?payment=${paymentId}`,
    setsUpCard: true,
  });
  expect(JSON.stringify(asked.body)).not.toContain('evil');
});

test('another customer’s payment can’t be looked at, given up or confirmed, which is audited', async () => {
  const rows = await deps.database.db.selectFrom('charge').select('id').execute();
  const ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const mallory = await registerCustomer(app, deps, 'mallory');
  const { id: userId } = mallory.user;
  for (const paymentId of ids) {
    for (const call of [CALLS.findPaymentState, CALLS.giveUpPayment]) {
      expect(await tried(mallory, () => mallory.client.call(call, { userId, paymentId }))).toEqual({
        word: '404 not_found',
        told: ['unknown_payment_asked'],
      });
    }
  }
  const foreign = () => mallory.client.call(CALLS.findWaitingPayments, { userId: eve.user.id });
  expect((await tried(mallory, foreign)).word).toBe('403 not_yours');
  const own = await mallory.client.call(CALLS.findWaitingPayments, { userId });
  expect(own.body.data).toEqual([]);
});

test('a card’s number is refused wherever it stands, and reaches neither gateway nor log', async () => {
  const calls = deps.gateway.calls.length;
  const sent = [
    plan(eve, tokenOf(PAYS), { ccNum: PAYS, cvv: '123' }),
    plan(eve, tokenOf(PAYS), { igUsername: PAYS }),
  ];
  for (const input of sent) {
    expect((await tried(eve, () => subscribe(eve, input))).word).toBe('400 card_not_taken');
  }
  expect(deps.gateway.calls).toHaveLength(calls);
  expect(JSON.stringify(deps.logged)).not.toContain(PAYS);
});
