import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createCreditsNode } from '#test/money/credits-fixture.ts';
import {
  hearGateway,
  moneyProblems,
  newTopCustomer,
  paymentsOf,
} from '#test/money/gateway-fixture.ts';
import { endAll, live, mailsOf, nameOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { returnPack } from '../credits/return-pack.service.ts';
import { quoteRefund } from '../refunds/refund-quote.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));

const newCustomer = () => newTopCustomer(deps, `ada${(made += 1)}`);

/** Reason, cents and state of what went back to a customer. */
async function refundsOf({ session }: Shopper): Promise<Array<readonly [string, number, string]>> {
  const rows = await deps.database.db
    .selectFrom('refund')
    .select(['reason', 'amount_cents', 'state'])
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('amount_cents')
    .execute();
  return rows.map(({ reason, amount_cents: cents, state }) => [reason, cents, state]);
}

test('a refund made at the gateway is booked and mailed once, and lowers the money back', async () => {
  const { shopper, charge } = await newCustomer();
  deps.gateway.refundInDashboard(charge, 5000);
  expect(await moneyProblems(deps)).toEqual(['I5 refunded 0 to 0 here, 5000 in the book']);
  for (let n = 0; n < 3; n += 1) await hearGateway(deps);
  expect(await refundsOf(shopper)).toEqual([['gateway', 5000, 'refunded']]);
  expect((await mailsOf(deps, shopper)).filter((kind) => kind === 'refund')).toHaveLength(1);
  expect(await quoteRefund(deps, nameOf(shopper))).toMatchObject({ charged: 400, least: 400 });
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
  expect(await refundsOf(shopper)).toEqual([
    ['gateway', 5000, 'refunded'],
    ['money_back', 40_000, 'refunded'],
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('what an operator gives back at the gateway pays a refund that it refused to us', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'no_money' });
  await live(deps, 3 * DAY_MS);
  expect(await refundsOf(shopper)).toEqual([['money_back', 45_000, 'rejected']]);
  deps.gateway.refundInDashboard(charge);
  await hearGateway(deps);
  await live(deps, DAY_MS);
  expect(await refundsOf(shopper)).toEqual([['money_back', 45_000, 'refunded']]);
  expect((await mailsOf(deps, shopper)).slice(-2)).toEqual(['Approved', 'Paid']);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a refund in parts at the gateway leaves the rest of ours owed, and it is sent', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'no_money' });
  await live(deps, 3 * DAY_MS);
  deps.gateway.refundInDashboard(charge, 15_000);
  await hearGateway(deps);
  expect(await refundsOf(shopper)).toEqual([
    ['money_back', 15_000, 'refunded'],
    ['money_back', 30_000, 'rejected'],
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('our own refunds are not booked a second time', async () => {
  const { shopper } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
  await hearGateway(deps);
  expect(await refundsOf(shopper)).toEqual([['money_back', 45_000, 'refunded']]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a refund of the gateway whose money comes back waits for an operator', async () => {
  const { shopper, charge } = await newCustomer();
  const refund = deps.gateway.refundInDashboard(charge, 700);
  await hearGateway(deps);
  deps.gateway.failRefund(refund);
  await hearGateway(deps);
  expect(await refundsOf(shopper)).toEqual([['gateway', 700, 'rejected']]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('money that went back at the gateway doesn’t go back again by an operator’s hand', async () => {
  const { shopper } = await newCustomer();
  await createCreditsNode(deps)(shopper, 'pack');
  const [, pack = ''] = await paymentsOf(deps, shopper);
  deps.gateway.refundInDashboard(pack);
  await hearGateway(deps);
  const charge = deps.gateway.charges.find((each) => each.gatewayChargeId === pack);
  expect(await returnPack(deps, charge?.request.chargeId ?? '')).toEqual({ kind: 'none' });
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a money back that was asked for, and whose payment goes back first, returns nothing more', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  deps.gateway.refundInDashboard(charge);
  await hearGateway(deps);
  await live(deps, 4 * DAY_MS);
  expect(await refundsOf(shopper)).toEqual([['gateway', 45_000, 'refunded']]);
  expect(await moneyProblems(deps)).toEqual([]);
});
