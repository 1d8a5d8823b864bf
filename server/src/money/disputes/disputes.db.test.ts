import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { changesOf, createCreditsNode, orderLikes } from '#test/money/credits-fixture.ts';
import {
  forgetCards,
  hearGateway,
  moneyProblems,
  newTopCustomer,
  paymentsOf,
} from '#test/money/gateway-fixture.ts';
import { plantOrder, plantPost, type Customer } from '#test/delivery/order-fixture.ts';
import { endAll, live, mailsOf, nameOf, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleEndedOrders } from '../credits/settle-orders.job.ts';
import { quoteRefund } from '../refunds/refund-quote.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));
beforeEach(() => forgetCards(deps));

const CARD = '4242424242424242';
const OTHER_CARD = '5555555555554444';

async function customerOf(shopper: Shopper): Promise<Customer> {
  const row = await subscriptionOf(deps, shopper);
  const { workspace_id: workspaceId, account_id: accountId, ig_id: igId, id } = row;
  return { workspaceId, accountId, igId, igUsername: shopper.igUsername, subscriptionId: id };
}

const newCustomer = () => newTopCustomer(deps, `ada${(made += 1)}`);

const disputeOf = ({ session }: Shopper) =>
  deps.database.db
    .selectFrom('dispute')
    .select(['state', 'amount_cents', 'taken_credits'])
    .where('workspace_id', '=', session.workspaceId)
    .execute();

const buyPack = async (shopper: Shopper, ccNum = CARD): Promise<string> => {
  deps.clock.advance(1000);
  return wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid(), { ccNum }));
};

test('a disputed payment stops its plan and the orders under way, and says so by mail', async () => {
  const { shopper, charge } = await newCustomer();
  const customer = await customerOf(shopper);
  await plantPost(deps, customer, { id: 'p1' });
  const orderId = await plantOrder(deps, customer, { post_id: 'p1', slot: 1 });
  deps.gateway.openDispute(charge);
  await hearGateway(deps);
  const plan = await subscriptionOf(deps, shopper);
  expect([plan.state, plan.ends_at]).toEqual(['Canceled', new Date(deps.clock.now())]);
  const order = await deps.database.db
    .selectFrom('like_order')
    .select(['cancel_requested', 'reason'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  expect(order).toEqual({ cancel_requested: true, reason: 'stopped' });
  expect(await disputeOf(shopper)).toEqual([
    { state: 'open', amount_cents: 45_000, taken_credits: 0 },
  ]);
  expect((await mailsOf(deps, shopper)).at(-1)).toBe('payment_disputed');
  expect(await moneyProblems(deps)).toEqual([]);
});

test('heard of again and again, a dispute does what it does once', async () => {
  const { shopper, charge } = await newCustomer();
  expect(await buyPack(shopper)).toBe('paid');
  const [, pack = ''] = await paymentsOf(deps, shopper);
  const dispute = deps.gateway.openDispute(pack);
  for (let n = 0; n < 3; n += 1) await hearGateway(deps);
  deps.gateway.changeDispute(dispute, 'won');
  for (let n = 0; n < 3; n += 1) await hearGateway(deps);
  expect(await changesOf(deps, shopper.session.workspaceId)).toEqual([
    'pack +2500 = 2500',
    'dispute -2500 = 0',
    'dispute +2500 = 2500',
  ]);
  expect((await mailsOf(deps, shopper)).filter((kind) => kind.includes('dispute'))).toEqual([
    'payment_disputed',
    'dispute_decided',
  ]);
  // The pack was disputed, so the plan that another payment bought runs on.
  expect((await subscriptionOf(deps, shopper)).state).toBe('Active');
  expect(charge).not.toBe(pack);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('the credits of a disputed pack are taken, those that orders hold when these have stopped', async () => {
  const { shopper } = await newCustomer();
  const customer = await customerOf(shopper);
  await buyPack(shopper);
  const [, pack = ''] = await paymentsOf(deps, shopper);
  await plantPost(deps, customer, { id: 'p2' });
  const ordered = await orderLikes(deps, customer, { postId: 'p2', likes: 1000 });
  const orderId = 'orderId' in ordered ? ordered.orderId : '';
  deps.gateway.openDispute(pack);
  await hearGateway(deps);
  await deps.database.db
    .updateTable('like_order')
    .set({
      state: 'Partial',
      delivered: 300,
      remains: 700,
      next_attempt_at: null,
      finished_at: new Date(deps.clock.now()),
    })
    .where('id', '=', orderId)
    .where('cancel_requested', '=', true)
    .execute();
  await settleEndedOrders(deps);
  expect(await changesOf(deps, customer.workspaceId)).toEqual([
    'pack +2500 = 2500',
    'hold -1000 = 1500',
    'dispute -1500 = 0',
    'settle +700 = 700',
    'dispute -700 = 0',
  ]);
  expect(await disputeOf(shopper)).toMatchObject([{ taken_credits: 2200 }]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a disputed card buys nothing, in no workspace, until the dispute is won', async () => {
  const { shopper, charge } = await newCustomer();
  const dispute = deps.gateway.openDispute(charge);
  await hearGateway(deps);
  const other = await newShopper(deps, `other${made}`);
  const told = await createNode(deps)(other, 'plan', { timeZone: 'UTC', ccYear: 2034 });
  expect(told).toMatchObject({
    kind: 'error',
    error: {
      code: 'card_disputed',
      message:
        'A payment with this card was disputed at the bank, so it can’t be used here. You were not charged. Please use another card.',
    },
  });
  expect(await buyPack(shopper)).toBe('card_disputed');
  expect(await buyPack(shopper, OTHER_CARD)).toBe('paid');
  deps.gateway.changeDispute(dispute, 'lost');
  await hearGateway(deps);
  expect(await buyPack(other)).toBe('card_disputed');
  deps.gateway.changeDispute(dispute, 'won');
  await hearGateway(deps);
  expect(await buyPack(other)).toBe('paid');
  expect(await moneyProblems(deps)).toEqual([]);
});

test('no money goes back while a payment is disputed, and what the bank took never goes back twice', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 3 * DAY_MS - 3_600_000);
  const dispute = deps.gateway.openDispute(charge, { amountCents: 40_000 });
  await hearGateway(deps);
  await live(deps, 5 * DAY_MS);
  expect(deps.gateway.refunds.filter(({ request }) => request.gatewayChargeId === charge)).toEqual(
    [],
  );
  deps.gateway.changeDispute(dispute, 'lost');
  await hearGateway(deps);
  await live(deps, DAY_MS);
  const sent = deps.gateway.refunds.filter(({ request }) => request.gatewayChargeId === charge);
  expect(sent.map(({ request }) => request.amountCents)).toEqual([5000]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('an approved money back waits for the dispute: lost, it is gone, won, it goes on', async () => {
  for (const [state, sentCents] of [
    ['lost', []],
    ['won', [45_000]],
  ] as const) {
    await forgetCards(deps);
    const { shopper, charge } = await newCustomer();
    await requestRefund(deps, nameOf(shopper));
    deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
    await live(deps, 3 * DAY_MS);
    const dispute = deps.gateway.openDispute(charge);
    await hearGateway(deps);
    await live(deps, DAY_MS);
    expect(await moneyProblems(deps)).toEqual([]);
    deps.gateway.changeDispute(dispute, state);
    await hearGateway(deps);
    await live(deps, DAY_MS);
    const sent = deps.gateway.refunds.filter(({ request }) => request.gatewayChargeId === charge);
    expect(sent.map(({ request }) => request.amountCents)).toEqual(sentCents);
    expect(await moneyProblems(deps)).toEqual([]);
  }
});

test('a payment disputed a moment before its money back is sent goes back once', async () => {
  for (const [state, sentCents] of [
    ['lost', []],
    ['won', [45_000]],
  ] as const) {
    await forgetCards(deps);
    const { shopper, charge } = await newCustomer();
    await requestRefund(deps, nameOf(shopper));
    const dispute = deps.gateway.openDispute(charge);
    await live(deps, 3 * DAY_MS);
    await hearGateway(deps);
    deps.gateway.changeDispute(dispute, state);
    await hearGateway(deps);
    await live(deps, 2 * DAY_MS);
    const sent = deps.gateway.refunds.filter(({ request }) => request.gatewayChargeId === charge);
    expect(sent.map(({ request }) => request.amountCents)).toEqual(sentCents);
    expect(await moneyProblems(deps)).toEqual([]);
  }
});

test('money back can’t be asked for while a payment is disputed', async () => {
  const { shopper, charge } = await newCustomer();
  deps.gateway.openDispute(charge);
  await hearGateway(deps);
  const refused = { code: 'payment_disputed' };
  await expect(requestRefund(deps, nameOf(shopper))).rejects.toMatchObject(refused);
  await expect(quoteRefund(deps, nameOf(shopper))).rejects.toMatchObject(refused);
});

test('an inquiry changes nothing until it becomes a dispute', async () => {
  const { shopper, charge } = await newCustomer();
  const dispute = deps.gateway.openDispute(charge, { state: 'inquiry' });
  await hearGateway(deps);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Active');
  deps.clock.advance(20 * DAY_MS);
  deps.gateway.changeDispute(dispute, 'open');
  await hearGateway(deps);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
});

test('money back that is paid while a bank asks ends the inquiry, and the bank takes nothing', async () => {
  const { shopper, charge } = await newCustomer();
  const inquiry = deps.gateway.openDispute(charge, { state: 'inquiry' });
  await hearGateway(deps);
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 5 * DAY_MS);
  expect(deps.gateway.chargesById.get(charge)).toMatchObject({ refundedCents: 45_000 });
  await hearGateway(deps);
  expect(await disputeOf(shopper)).toMatchObject([{ state: 'won', amount_cents: 45_000 }]);
  expect(() => deps.gateway.changeDispute(inquiry, 'lost')).toThrow('0 cents are left');
  expect(await moneyProblems(deps)).toEqual([]);
});

test('an inquiry that becomes a dispute takes what has not gone back by then', async () => {
  const { shopper, charge } = await newCustomer();
  const inquiry = deps.gateway.openDispute(charge, { state: 'inquiry' });
  await hearGateway(deps);
  deps.gateway.refundInDashboard(charge, 5000);
  await hearGateway(deps);
  for (const state of ['open', 'lost'] as const) {
    deps.gateway.changeDispute(inquiry, state);
    await hearGateway(deps);
    expect(await disputeOf(shopper)).toMatchObject([{ state, amount_cents: 40_000 }]);
    expect(await moneyProblems(deps)).toEqual([]);
  }
});

test('a gateway that doesn’t answer is asked again, and nothing is missed', async () => {
  const { shopper, charge } = await newCustomer();
  deps.gateway.openDispute(charge);
  deps.clock.advance(61_000);
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  await hearGateway(deps);
  expect(await disputeOf(shopper)).toEqual([]);
  deps.clock.advance(5 * 60_000);
  await hearGateway(deps);
  expect(await disputeOf(shopper)).toMatchObject([{ state: 'open' }]);
});
