import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { changesOf, createCreditsNode } from '#test/money/credits-fixture.ts';
import {
  forgetCards,
  hearGateway,
  moneyProblems,
  newTopCustomer,
  paymentsOf,
} from '#test/money/gateway-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { fallShort } from '#test/delivery/short-order.ts';
import {
  endAll,
  live,
  mailsOf,
  nameOf,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewAccounts } from '#server/read-model/accounts.service.ts';
import { listRejectedRefunds, sendRefundAgain } from '#server/ops/operator/rejected-refunds.ts';
import { claimDueCharges } from '../charges/charge.repository.ts';
import { collectCharge } from '../settlement/collect-charge.service.ts';
import { cancelSubscription } from '../cancellation/cancellation.service.ts';
import { quoteRefund } from '../refunds/refund-quote.service.ts';
import { approveRefundRequest, requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));
beforeEach(() => forgetCards(deps));

/** A customer of plan 9 ($450.00). */
async function newCustomer(): Promise<{ shopper: Shopper; charge: string }> {
  made += 1;
  // All pay with one card, and each has its free likes.
  await deps.database.db.deleteFrom('refund_request_card').execute();
  return newTopCustomer(deps, `after${made}`);
}

async function decide(dispute: string, state: 'lost' | 'won'): Promise<void> {
  deps.gateway.changeDispute(dispute, state);
  await hearGateway(deps);
}

async function open(payment: string, amountCents?: number): Promise<string> {
  const dispute = deps.gateway.openDispute(payment, amountCents ? { amountCents } : {});
  await hearGateway(deps);
  return dispute;
}

const sentTo = (charge: string): number[] =>
  deps.gateway.refunds
    .filter(({ request }) => request.gatewayChargeId === charge)
    .map(({ request }) => request.amountCents);

const moneyBackOf = ({ session }: Shopper) =>
  deps.database.db
    .selectFrom('refund_request')
    .select(['state', 'amount_cents', 'charged_cents', 'paid_at'])
    .where('workspace_id', '=', session.workspaceId)
    .executeTakeFirst();

test('days on which a dispute kept money from going back are not among the 30 of money back', async () => {
  const { shopper, charge } = await newCustomer();
  const { until } = await quoteRefund(deps, nameOf(shopper));
  deps.clock.advance(10 * DAY_MS);
  const dispute = await open(charge);
  deps.clock.advance(60 * DAY_MS);
  await decide(dispute, 'won');
  const { until: later } = await quoteRefund(deps, nameOf(shopper));
  // 60 days and a minute: the day that has begun counts.
  expect(Date.parse(later) - Date.parse(until)).toBe(61 * DAY_MS);
  const [account] = await viewAccounts(deps, shopper.session.workspaceId);
  expect(account?.view.moneyBackUntil).toBe(later);
  deps.clock.set(new Date(Date.parse(later) + 1).toISOString());
  await expect(quoteRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'money_back_over',
  });
  deps.clock.advance(-DAY_MS);
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
  expect(sentTo(charge)).toEqual([45_000]);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('days of two disputes at once count once, those of an inquiry and of one after the 30 days not at all', async () => {
  const { shopper, charge } = await newCustomer();
  const { until } = await quoteRefund(deps, nameOf(shopper));
  deps.clock.advance(1000);
  expect(wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid()))).toBe('paid');
  const [, pack = ''] = await paymentsOf(deps, shopper);
  const inquiry = deps.gateway.openDispute(pack, { state: 'inquiry' });
  await hearGateway(deps);
  deps.clock.advance(5 * DAY_MS);
  await decide(inquiry, 'won');
  const outer = await open(charge, 10_000);
  deps.clock.advance(2 * DAY_MS);
  const inner = await open(pack);
  deps.clock.advance(2 * DAY_MS);
  await decide(inner, 'won');
  deps.clock.advance(2 * DAY_MS);
  await decide(outer, 'won');
  const { until: later } = await quoteRefund(deps, nameOf(shopper));
  expect(Date.parse(later) - Date.parse(until)).toBe(7 * DAY_MS);
  deps.clock.set(new Date(Date.parse(later) + DAY_MS).toISOString());
  await decide(await open(pack), 'won');
  expect((await subscriptionOf(deps, shopper)).disputed_days).toBe(7);
});

test('a dispute that begins in days which another one has added adds none: no chain of packs keeps money back', async () => {
  const { shopper, charge } = await newCustomer();
  const first = await open(charge, 10_000);
  deps.clock.advance(60 * DAY_MS);
  await decide(first, 'won');
  const { until } = await quoteRefund(deps, nameOf(shopper));
  deps.clock.advance(10 * DAY_MS);
  expect(wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid()))).toBe('paid');
  const pack = (await paymentsOf(deps, shopper)).at(-1) ?? '';
  const second = await open(pack);
  deps.clock.advance(19 * DAY_MS);
  await decide(second, 'won');
  expect((await quoteRefund(deps, nameOf(shopper))).until).toBe(until);
});

test('a money back that a lost dispute has cut goes on when an appeal wins it', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  await live(deps, 3 * DAY_MS);
  const dispute = await open(charge, 40_000);
  await decide(dispute, 'lost');
  await live(deps, DAY_MS);
  expect(sentTo(charge)).toEqual([5000]);
  expect(await moneyBackOf(shopper)).toMatchObject({ state: 'Paid', amount_cents: 5000 });
  await decide(dispute, 'won');
  expect(await moneyBackOf(shopper)).toMatchObject({ state: 'Approved', paid_at: null });
  await live(deps, DAY_MS);
  expect(sentTo(charge)).toEqual([5000, 40_000]);
  expect(await moneyBackOf(shopper)).toMatchObject({
    state: 'Paid',
    amount_cents: 45_000,
    charged_cents: 45_000,
  });
  expect((await mailsOf(deps, shopper)).filter((kind) => kind === 'Paid')).toHaveLength(2);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a money back asked for after a lost dispute counts what an appeal gives back to us, and its credits', async () => {
  for (const isApproved of [false, true]) {
    const { shopper, charge } = await newCustomer();
    await fallShort(deps, shopper);
    const dispute = await open(charge, 10_000);
    await decide(dispute, 'lost');
    await requestRefund(deps, nameOf(shopper));
    const row = await subscriptionOf(deps, shopper);
    const key = { workspaceId: row.workspace_id, subscriptionId: row.id };
    if (isApproved) {
      await approveRefundRequest(deps, key);
      await runDue(deps);
    }
    await decide(dispute, 'won');
    await live(deps, 4 * DAY_MS);
    // 2,500 of the 5,000 likes delivered are free.
    const cents = 45_000 - Math.ceil((2500 * 45_000) / (4 * 30 * 10_000));
    expect(sentTo(charge).reduce((sum, each) => sum + each, 0)).toBe(cents);
    expect(await moneyBackOf(shopper)).toMatchObject({ state: 'Paid', amount_cents: cents });
    expect(await changesOf(deps, shopper.session.workspaceId)).toEqual([
      'shortfall +469 = 469',
      'dispute -469 = 0',
    ]);
    expect(await moneyProblems(deps)).toEqual([]);
  }
});

test('a disputed payment that bought nothing, and goes back, stops no plan and shuts no card', async () => {
  const { shopper } = await newCustomer();
  await fallShort(deps, shopper);
  await deps.database.db
    .updateTable('subscription')
    .set({ package: 8 })
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  deps.gateway.loseAnswers(1);
  const changed = createPlanChanger(deps).changeTo(shopper, 9);
  await expect(changed).rejects.toMatchObject({ code: 'payment_unknown' });
  await cancelSubscription(deps, nameOf(shopper));
  deps.clock.advance(5 * 60_000);
  // Its refund isn't sent yet.
  const now = new Date(deps.clock.now());
  const claims = await claimDueCharges(deps.database.db, { now, leaseUntil: now, limit: 10 });
  for (const claim of claims) await collectCharge(deps, claim);
  const [, upgrade = ''] = await paymentsOf(deps, shopper);
  const dispute = await open(upgrade);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Active');
  expect(wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid()))).toBe('paid');
  await decide(dispute, 'lost');
  deps.clock.advance(1000);
  expect(wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid()))).toBe('paid');
  await live(deps, DAY_MS);
  expect(sentTo(upgrade)).toEqual([]);
  expect(await changesOf(deps, shopper.session.workspaceId)).toEqual([
    'shortfall +469 = 469',
    'pack +2500 = 2969',
    'pack +2500 = 5469',
  ]);
  expect(await moneyProblems(deps)).toEqual([]);
  // Won by an appeal, the payment is ours again, and so owed.
  await decide(dispute, 'won');
  await live(deps, DAY_MS);
  expect(sentTo(upgrade)).toHaveLength(1);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('a refund of ours that fails weeks later waits for an operator, and is paid once', async () => {
  const { shopper, charge } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
  const [refund] = deps.gateway.refunds.filter(({ request }) => request.gatewayChargeId === charge);
  for (let day = 0; day < 40; day += 1) {
    deps.clock.advance(DAY_MS);
    await hearGateway(deps);
  }
  deps.gateway.failRefund(refund?.gatewayRefundId ?? '');
  deps.clock.advance(DAY_MS);
  await hearGateway(deps);
  expect(await moneyBackOf(shopper)).toMatchObject({ state: 'Approved', paid_at: null });
  expect(await moneyProblems(deps)).toEqual([]);
  const [rejected] = await listRejectedRefunds(deps);
  expect(rejected).toMatchObject({ amountCents: 45_000, rejected: 'refund_failed' });
  await sendRefundAgain(deps, rejected?.refundId ?? '');
  await live(deps, 3 * DAY_MS);
  await hearGateway(deps);
  expect(await listRejectedRefunds(deps)).toEqual([]);
  expect(sentTo(charge)).toEqual([45_000, 45_000]);
  expect(await moneyBackOf(shopper)).toMatchObject({ state: 'Paid' });
  expect(await moneyProblems(deps)).toEqual([]);
});
