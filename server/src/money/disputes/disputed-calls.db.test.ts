import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { hearGateway } from '#test/money/gateway-fixture.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Payer;
let bob: Payer;
let quoteId: string;
/** Ada disputes what she paid for her plan; Bob has paid with the same card. */
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await payer(app, deps, 'ada');
  bob = await payer(app, deps, 'bob');
  const quote = { userId: bob.user.id, igUsername: 'bob', packageIndex: 5 };
  quoteId = (await bob.client.call(CALLS.quotePlan, quote)).body.data?.quoteId ?? '';
  deps.gateway.openDispute(deps.gateway.charges[0]?.gatewayChargeId ?? '');
  await hearGateway(deps);
});
afterAll(() => deps.database.close());

const CARD_SENTENCE =
  'A payment with this card was disputed at the bank, so it can’t be used here. You were not charged. Please use another card.';
const said = ({
  httpStatus,
  body,
}: {
  httpStatus: number;
  body: { code?: string; message?: string };
}) => [httpStatus, body.code, body.message] as const;

test('every payment with a disputed card says what holds and what to do', async () => {
  const refused = [402, 'card_disputed', CARD_SENTENCE];
  const { client, user } = ada;
  const card = { ...CARD_FORM, userId: user.id };
  const charges = deps.gateway.charges.length;
  const plan = { ...card, igUsername: 'ada', packageIndex: 2 };
  expect(said(await client.call(CALLS.addSubscription, plan))).toEqual(refused);
  const pack = { ...card, amount: 10, credits: 2500 };
  expect(said(await client.call(CALLS.buyCredits, pack))).toEqual(refused);
  expect(said(await client.call(CALLS.replaceBillingInfo, card))).toEqual(refused);
  const change = { userId: bob.user.id, quoteId };
  expect(said(await bob.client.call(CALLS.changePlan, change))).toEqual(refused);
  expect(deps.gateway.charges.length).toBe(charges);
});

test('money back of a disputed payment waits, and says so', async () => {
  const name = { userId: ada.user.id, igUsername: 'ada' };
  const refused = [
    409,
    'payment_disputed',
    'One of your payments is disputed at your bank. We can’t return any money until that’s decided. Please ask again then.',
  ];
  expect(said(await ada.client.call(CALLS.quoteMoneyBack, name))).toEqual(refused);
  expect(said(await ada.client.call(CALLS.moneyBack, name))).toEqual(refused);
});

test('the billing page’s call tells of disputes and refunds, of one’s own only', async () => {
  const find = { userId: ada.user.id };
  const { body } = await ada.client.call(CALLS.findPaymentReturns, find);
  expect(body.data).toMatchObject([
    {
      state: 'disputed',
      description: 'Monthly plan: 100 likes per post',
      igUsername: 'ada',
      amount: 17,
      takenCredits: 0,
      decidedAt: null,
    },
  ]);
  const foreign = await bob.client.call(CALLS.findPaymentReturns, find);
  expect([foreign.httpStatus, foreign.body.code]).toEqual([403, 'not_yours']);
  const own = await bob.client.call(CALLS.findPaymentReturns, { userId: bob.user.id });
  expect(own.body.data).toEqual([]);
});
