import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { changesOf, createCreditsNode, orderLikes } from '#test/money/credits-fixture.ts';
import {
  forgetCards,
  hearGateway,
  moneyProblems,
  paymentsOf,
} from '#test/money/gateway-fixture.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { customerOf, endOrder, fallShort } from '#test/delivery/short-order.ts';
import { endAll, nameOf, newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { returnPack } from '../credits/return-pack.service.ts';
import { settleEndedOrders } from '../credits/settle-orders.job.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));
beforeEach(async () => {
  await forgetCards(deps);
});

/** A customer of plan 9 ($450.00). */
async function newCustomer(): Promise<Shopper> {
  made += 1;
  return newSubscriber(deps, `ada${made}`, { packageIndex: 9 });
}

/** Buys 2,500 credits. @returns what the gateway calls the payment */
async function buyPack(shopper: Shopper): Promise<string> {
  deps.clock.advance(1000);
  expect(wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid()))).toBe('paid');
  return (await paymentsOf(deps, shopper)).at(-1) ?? '';
}

const changes = ({ session }: Shopper) => changesOf(deps, session.workspaceId);

test('a dispute of a pack that was given back takes nothing out of another pack', async () => {
  const shopper = await newCustomer();
  const pack = await buyPack(shopper);
  const { id: chargeId } = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('gateway_charge_id', '=', pack)
    .executeTakeFirstOrThrow();
  expect(await returnPack(deps, chargeId)).toMatchObject({ kind: 'returned' });
  await buyPack(shopper);
  deps.gateway.openDispute(pack);
  await hearGateway(deps);
  expect(await changes(shopper)).toEqual([
    'pack +2500 = 2500',
    'refund -2500 = 0',
    'pack +2500 = 2500',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('credits that a money back has taken are not taken again by a dispute of its plan', async () => {
  const shopper = await newCustomer();
  await fallShort(deps, shopper);
  await buyPack(shopper);
  await requestRefund(deps, nameOf(shopper));
  const [plan = ''] = await paymentsOf(deps, shopper);
  deps.gateway.openDispute(plan);
  await hearGateway(deps);
  expect(await changes(shopper)).toEqual([
    'shortfall +469 = 469',
    'pack +2500 = 2969',
    'money_back -469 = 2500',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('likes that an order lacks return no credits while its plan’s payment is called back', async () => {
  const shopper = await newCustomer();
  const [plan = ''] = await paymentsOf(deps, shopper);
  deps.gateway.openDispute(plan);
  await hearGateway(deps);
  await fallShort(deps, shopper);
  expect(await changes(shopper)).toEqual([]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('credits that a lost dispute has taken are not taken again by the money back of the rest', async () => {
  const shopper = await newCustomer();
  await fallShort(deps, shopper);
  await buyPack(shopper);
  const [plan = ''] = await paymentsOf(deps, shopper);
  const dispute = deps.gateway.openDispute(plan, { amountCents: 10_000 });
  await hearGateway(deps);
  deps.gateway.changeDispute(dispute, 'lost');
  await hearGateway(deps);
  const asked = await requestRefund(deps, nameOf(shopper));
  expect(asked).toMatchObject({ order_credits: 0, taken_credits: 0, credits_cents: 0 });
  expect(await changes(shopper)).toEqual([
    'shortfall +469 = 469',
    'pack +2500 = 2969',
    'dispute -469 = 2500',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('what an order gives back goes to each disputed pack that still misses credits', async () => {
  const shopper = await newCustomer();
  const customer = await customerOf(deps, shopper);
  const packs = [await buyPack(shopper), await buyPack(shopper)];
  await plantPost(deps, customer, { id: `held${made}` });
  const ordered = await orderLikes(deps, customer, { postId: `held${made}`, likes: 2500 });
  for (const pack of packs) {
    deps.gateway.openDispute(pack);
    await hearGateway(deps);
  }
  await endOrder(deps, 'orderId' in ordered ? ordered.orderId : '', {
    delivered: 0,
    remains: 2500,
  });
  await settleEndedOrders(deps);
  expect((await changes(shopper)).slice(2)).toEqual([
    'hold -2500 = 2500',
    'dispute -2500 = 0',
    'settle +2500 = 2500',
    'dispute -2500 = 0',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('what a won dispute returns goes to a later one of another pack that couldn’t take it', async () => {
  const shopper = await newCustomer();
  const customer = await customerOf(deps, shopper);
  const first = await buyPack(shopper);
  const second = await buyPack(shopper);
  await plantPost(deps, customer, { id: `spent${made}` });
  const ordered = await orderLikes(deps, customer, { postId: `spent${made}`, likes: 2400 });
  const orderId = 'orderId' in ordered ? ordered.orderId : '';
  await endOrder(deps, orderId, { delivered: 2400, remains: 0 });
  const won = deps.gateway.openDispute(first);
  await hearGateway(deps);
  const lost = deps.gateway.openDispute(second);
  await hearGateway(deps);
  deps.gateway.changeDispute(lost, 'lost');
  await hearGateway(deps);
  deps.gateway.changeDispute(won, 'won');
  await hearGateway(deps);
  expect((await changes(shopper)).slice(3)).toEqual([
    'dispute -2500 = 100',
    'dispute -100 = 0',
    'dispute +2500 = 2500',
    'dispute -2400 = 100',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});
