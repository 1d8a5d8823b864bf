import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { ApiResponse } from '#test/calls/api-client.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { moneyProblems } from '#test/money/gateway-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Cards that are entered in the gateway's own fields. */
const GATEWAY = {
  way: 'gateway',
  publishableKey: 'pk_test_1',
  scriptUrl: 'https://js.stripe.com/endive/stripe.js',
} as const;
const ADDRESS = {
  line1: '1 Analytical Way',
  line2: '',
  city: 'Springfield',
  state: 'Ohio',
  zip: '12345',
  country: 'US',
};
const TYPED = { number: '4242424242424242', name: 'Ada Example', month: 12, year: 2030 };

let deps: TestDeps;
let app: Hono;
let ada: Customer;
let eve: Customer;
/** One that has been used. */
let bensToken: string;
beforeAll(async () => {
  deps = await createTestDeps({ settings: { cardEntry: GATEWAY } });
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
  eve = await registerCustomer(app, deps, 'eve');
  const ben = await registerCustomer(app, deps, 'ben');
  bensToken = tokenOf();
  await ben.client.call(CALLS.buyCredits, pack(ben, bensToken), headers());
});
beforeEach(() => deps.clock.advance(LIMITS.checkout.perMs));
afterAll(() => deps.database.close());

const tokenOf = (changes: object = {}) =>
  deps.gateway.tokenOf({ ...TYPED, address: ADDRESS, ...changes });
const headers = () => ({ 'idempotency-key': deps.ids.uuid() });
const plan = ({ user }: Customer, confirmationToken: string) => ({
  userId: user.id,
  igUsername: user.defaultIgUsername,
  packageIndex: 1,
  confirmationToken,
});
const pack = ({ user }: Customer, confirmationToken: string) => ({
  userId: user.id,
  amount: 10,
  credits: 2500,
  confirmationToken,
});
const codeOf = ({ body }: ApiResponse) => body.code;

/** The cards that are kept of somebody, newest last. */
async function cardsOf({ user }: Customer) {
  const { db } = deps.database;
  const { workspace_id } = await db
    .selectFrom('app_user')
    .select('workspace_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return db
    .selectFrom('card')
    .select(['holder_name', 'last_digits', 'exp_month', 'exp_year', 'billing_address'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('created_at')
    .execute();
}

async function auditsOf({ user }: Customer): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('actor', '=', user.id)
    .where('action', '=', 'card_token_refused')
    .execute();
  return rows.map(({ action }) => action);
}

test('a token pays for a plan, for credits, and becomes the saved card; its card is read at the gateway', async () => {
  const { client } = ada;
  const bought = await client.call(CALLS.addSubscription, plan(ada, tokenOf()), headers());
  expect(bought.body.data?.billingInfo).toEqual({
    ccNum: expect.stringMatching(/242$/),
    ccName: 'Ada Example',
    ccMonth: '12',
    ccYear: '2030',
  });
  expect((await client.call(CALLS.buyCredits, pack(ada, tokenOf()), headers())).httpStatus).toBe(
    200,
  );
  const other = { number: '5555555555554444', name: 'Ada Other', month: 3, year: 2031 };
  const replaced = await client.call(
    CALLS.replaceBillingInfo,
    { userId: ada.user.id, confirmationToken: tokenOf(other) },
    headers(),
  );
  expect(replaced.body.data?.billingInfo).toMatchObject({ ccName: 'Ada Other', ccMonth: '03' });
  const kept = { holder_name: 'Ada Example', last_digits: '4242', exp_month: 12, exp_year: 2030 };
  expect(await cardsOf(ada)).toMatchObject([
    { ...kept, billing_address: ADDRESS },
    kept,
    { holder_name: 'Ada Other', last_digits: '4444' },
  ]);
});

test('a repeat of an attempt whose process died saves the card and charges once', async () => {
  const key = headers();
  const body = pack(ada, tokenOf());
  deps.gateway.loseAnswers(1);
  expect(codeOf(await ada.client.call(CALLS.buyCredits, body, key))).toBe('payment_unavailable');
  const charges = deps.gateway.charges.length;
  expect((await ada.client.call(CALLS.buyCredits, body, key)).httpStatus).toBe(200);
  expect((await ada.client.call(CALLS.buyCredits, body, key)).httpStatus).toBe(200);
  expect(deps.gateway.charges).toHaveLength(charges + 1);
});

test('a token that paid once pays nothing else in its workspace, and doesn’t become the saved card', async () => {
  const token = tokenOf({ number: '5555555555554444' });
  expect((await ada.client.call(CALLS.buyCredits, pack(ada, token), headers())).httpStatus).toBe(
    200,
  );
  const charges = deps.gateway.charges.length;
  const cards = await cardsOf(ada);
  const body = { userId: ada.user.id, confirmationToken: token };
  expect(codeOf(await ada.client.call(CALLS.replaceBillingInfo, body, headers()))).toBe(
    'card_invalid',
  );
  expect(codeOf(await ada.client.call(CALLS.buyCredits, pack(ada, token), headers()))).toBe(
    'card_invalid',
  );
  expect(deps.gateway.charges).toHaveLength(charges);
  expect(await cardsOf(ada)).toEqual(cards);
});

test.each<[what: string, token: () => string]>([
  ['somebody else’s token', () => bensToken],
  ['one that is made up', () => 'pm_nobody'],
])('%s is refused in one sentence, audited, and nothing changes', async (_what, token) => {
  const charges = deps.gateway.charges.length;
  const before = (await auditsOf(eve)).length;
  const { client, user } = eve;
  const answers = [
    await client.call(CALLS.addSubscription, plan(eve, token()), headers()),
    await client.call(CALLS.buyCredits, pack(eve, token()), headers()),
    await client.call(
      CALLS.replaceBillingInfo,
      { userId: user.id, confirmationToken: token() },
      headers(),
    ),
  ];
  for (const { body } of answers) {
    expect(body).toEqual({
      status: 'error',
      code: 'card_invalid',
      message: 'Please enter the card again.',
    });
  }
  expect(await auditsOf(eve)).toHaveLength(before + 3);
  expect(deps.gateway.charges).toHaveLength(charges);
  expect(await cardsOf(eve)).toEqual([]);
});
test.each(['', 'a b', 'pm', `pm_${'x'.repeat(300)}`, 4242, null])(
  'a token that can’t be one is refused before anybody is asked: %j',
  async (token) => {
    const calls = deps.gateway.calls.length;
    const body = pack(eve, token as string);
    const answer = await eve.client.call(CALLS.buyCredits, body, headers());
    expect(answer.body).toMatchObject({
      code: 'invalid_input',
      fields: { confirmationToken: 'Please enter the card again.' },
    });
    expect(deps.gateway.calls).toHaveLength(calls);
  },
);

test('what only looks like a name or an address isn’t kept: a card’s number typed into the wrong field', async () => {
  const number = '4242 4242 4242 4242';
  const address = { ...ADDRESS, line1: number, line2: 'Flat\u202e 2', city: `x${number}` };
  const confirmationToken = tokenOf({ name: number, address });
  const answer = await eve.client.call(CALLS.buyCredits, pack(eve, confirmationToken), headers());
  expect(answer.httpStatus).toBe(200);
  expect(await cardsOf(eve)).toMatchObject([
    { holder_name: '', billing_address: { ...ADDRESS, line1: '', line2: '', city: '' } },
  ]);
});

test.each([
  ['Studio 9 / Æ & Söhne (GmbH)', 'Studio 9 / Æ & Söhne (GmbH)'],
  ['\u202eAda\u0000  Page №\t1\n', 'Ada Page № 1'],
  [`${'名'.repeat(99)}1𠮷𠮷`, `${'名'.repeat(99)}1`],
  ['4242, 4242, 4242, 4242', ''],
])(
  'a name that only our form wouldn’t take is kept as far as it can be printed: %j',
  async (name, kept) => {
    const dee = await registerCustomer(app, deps, `dee${deps.clock.now()}`);
    const confirmationToken = tokenOf({ name });
    await dee.client.call(CALLS.buyCredits, pack(dee, confirmationToken), headers());
    expect(await cardsOf(dee)).toMatchObject([{ holder_name: kept }]);
  },
);

test('a card’s own fields are refused here, and a token where cards are typed into our form', async () => {
  const typed = { ...pack(eve, ''), ...CARD_FORM, confirmationToken: undefined };
  const answer = await eve.client.call(CALLS.buyCredits, typed, headers());
  expect(codeOf(answer)).toBe('card_not_taken');
  const settings = { ...deps.settings, cardEntry: { way: 'form' } as const };
  const formApp = createApp({ ...deps, settings });
  const cy = await registerCustomer(formApp, deps, 'cy');
  const token = await cy.client.call(CALLS.buyCredits, pack(cy, tokenOf()), headers());
  expect(token.body).toMatchObject({
    code: 'invalid_input',
    message: 'Please reload the page and enter the card again.',
  });
});

test('the books of all of them are equal to the cent', async () => {
  expect(await moneyProblems(deps)).toEqual([]);
});
