import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import {
  changesOf,
  createCreditsNode,
  giveCredits,
  orderLikes,
} from '#test/money/credits-fixture.ts';
import { type Customer, plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import {
  endAll,
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { Insertable } from 'kysely';
import { readCreditStatus } from '../credits/ledger.repository.ts';
import { grantBonus, returnShortfall } from '../credits/ledger.service.ts';
import { settleEndedOrders } from '../credits/settle-orders.job.ts';
import type { LikeOrderTable } from '#server/kit/db/tables/like-order.table.ts';
import { viewAccounts } from '#server/read-model/accounts.service.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';
import { quoteRefund } from './refund-quote.service.ts';
import { viewRefundRequests } from '#server/read-model/wallet.service.ts';
import { approveRefundRequest, requestRefund } from './refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));

/** Every test card of its own: the free likes are once per card. */
const CARDS = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117'];

/** A customer of plan 9 ($450.00), 30 days a period, with a card that no other test has paid with. */
async function newCustomer(ccNum?: string): Promise<{ shopper: Shopper; customer: Customer }> {
  made += 1;
  const [cvv, number] = ['7391', ccNum ?? CARDS[made % CARDS.length] ?? ''];
  await deps.database.db.deleteFrom('refund_request_card').execute();
  deps.clock.set(`2027-0${(made % 3) + 4}-0${(made % 8) + 1}T09:00:00Z`);
  const shopper = await newSubscriber(deps, `ada${made}`, {
    packageIndex: 9,
    ccNum: number,
    cvv: number.startsWith('37') ? cvv : '739',
  });
  const row = await subscriptionOf(deps, shopper);
  const { workspaceId } = shopper.session;
  const { account_id: accountId, ig_id: igId, id: subscriptionId } = row;
  return {
    shopper,
    customer: { workspaceId, accountId, igId, igUsername: shopper.igUsername, subscriptionId },
  };
}

const TERMS = { plan_price_cents: 45_000, plan_likes: 10_000, period_days: 30, ordered: 10_000 };

/** An automatic order of plan 9 that stands so. */
async function order(
  customer: Customer,
  slot: number,
  change: Partial<Insertable<LikeOrderTable>>,
): Promise<string> {
  const postId = `${customer.igId}${slot}`;
  await plantPost(deps, customer, { id: postId });
  const id = await plantOrder(deps, customer, { post_id: postId, slot, ...TERMS });
  await changeOrder(id, change);
  return id;
}

async function changeOrder(id: string, change: Partial<Insertable<LikeOrderTable>>): Promise<void> {
  await deps.database.db.updateTable('like_order').set(change).where('id', '=', id).execute();
}

const ended = (delivered: number) => ({
  state: delivered < 10_000 ? ('Partial' as const) : ('Completed' as const),
  delivered,
  remains: Math.max(0, 10_000 - delivered),
  finished_at: new Date(deps.clock.now()),
  next_attempt_at: null,
});

const cents = (dollars: number): number => Math.round(dollars * 100);

test('the quote, the request, the books and the card say the same, to the cent', async () => {
  const { shopper, customer } = await newCustomer();
  for (const slot of [1, 2, 3, 4]) await order(customer, slot, ended(10_000));
  const quote = await quoteRefund(deps, nameOf(shopper));
  // 37,500 likes beyond the first 2,500, at 0.0375 cents.
  expect(quote).toMatchObject({
    least: 435.93,
    most: 435.93,
    charged: 450,
    paidLikes: 37_500,
    likesCost: 14.07,
  });
  const request = await requestRefund(deps, nameOf(shopper));
  expect([request.amount_cents, request.most_cents]).toEqual([43_593, 43_593]);
  const [shown] = await viewRefundRequests(deps, customer.workspaceId);
  expect(shown).toMatchObject({ state: 'Requested', amount: 435.93, likesCost: 14.07 });
  await live(deps, 4 * DAY_MS);
  expect(await gatewayBook(deps, shopper)).toEqual({
    chargedCents: [45_000],
    refundedCents: 43_593,
  });
  const [paid] = await viewRefundRequests(deps, customer.workspaceId);
  expect(paid).toMatchObject({ state: 'Paid', amount: 435.93 });
});

test('orders under way count whole in the least, and what they don’t deliver is added at approval', async () => {
  const { shopper, customer } = await newCustomer();
  await order(customer, 1, ended(10_000));
  const running = await order(customer, 2, {
    state: 'In progress',
    delivered: 4000,
    remains: 6000,
  });
  const quote = await quoteRefund(deps, nameOf(shopper));
  expect([cents(quote.least), cents(quote.most)]).toEqual([44_343, 44_568]);
  const request = await requestRefund(deps, nameOf(shopper));
  expect([request.amount_cents, request.most_cents]).toEqual([44_343, 44_568]);
  const stopping = await deps.database.db
    .selectFrom('like_order')
    .select(['cancel_requested', 'reason'])
    .where('id', '=', running)
    .executeTakeFirstOrThrow();
  expect(stopping).toEqual({ cancel_requested: true, reason: 'stopped' });
  await changeOrder(running, ended(5000));
  await live(deps, 4 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).refundedCents).toBe(44_531);
  const [paid] = await viewRefundRequests(deps, customer.workspaceId);
  expect(paid).toMatchObject({ state: 'Paid', amount: 445.31, most: 445.31 });
});

test('the free likes are once per card, also when the plans are of different accounts', async () => {
  const { shopper, customer } = await newCustomer(CARDS[0]);
  await order(customer, 1, ended(2500));
  expect(await requestRefund(deps, nameOf(shopper))).toMatchObject({ amount_cents: 45_000 });
  const hashes = await deps.database.db.selectFrom('refund_request_card').selectAll().execute();
  const next = await newCustomer(CARDS[0]);
  await deps.database.db.insertInto('refund_request_card').values(hashes).execute();
  await order(next.customer, 1, ended(2500));
  const quote = await quoteRefund(deps, nameOf(next.shopper));
  expect(quote).toMatchObject({ hasFreeLikes: false, paidLikes: 2500, least: 449.06 });
  expect(await requestRefund(deps, nameOf(next.shopper))).toMatchObject({
    amount_cents: 44_906,
  });
  const other = await newCustomer(CARDS[1]);
  await deps.database.db.insertInto('refund_request_card').values(hashes).execute();
  expect(await quoteRefund(deps, nameOf(other.shopper))).toMatchObject({ hasFreeLikes: true });
  // Each is shown their own.
  const shown = (of: Customer) => viewRefundRequests(deps, of.workspaceId);
  expect(await shown(customer)).toMatchObject([{ amount: 450 }]);
  expect(await shown(next.customer)).toMatchObject([{ amount: 449.06 }]);
});

test('credits of its orders are taken back, and used ones cost 0.4 cents', async () => {
  const { shopper, customer } = await newCustomer();
  const { workspaceId } = customer;
  const orderId = await order(customer, 1, {
    ...ended(0),
    state: 'Canceled',
    reason: 'no_members',
    credits_settled_at: new Date(deps.clock.now()),
    credits_returned: 938,
  });
  const subject = { workspaceId, orderId, igUsername: customer.igUsername, shortcode: 'C1' };
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    returnShortfall(tx, deps, { ...subject, likes: 10_000, credits: 938, now }),
  );
  const likes = { postId: `${customer.igId}1`, likes: 500 };
  expect(await orderLikes(deps, customer, likes)).toMatchObject({ credits: 438 });
  const quote = await quoteRefund(deps, nameOf(shopper));
  expect(quote).toMatchObject({
    least: 448,
    takenCredits: 438,
    usedCredits: 500,
    creditsCost: 2,
  });
  await requestRefund(deps, nameOf(shopper));
  expect((await changesOf(deps, workspaceId)).at(-1)).toBe('money_back -438 = 0');
  // An order that fell short and isn't settled yet gives none any more.
  const late = await order(customer, 2, { ...ended(0), state: 'Canceled', reason: 'no_members' });
  deps.network.addPost(customer.igUsername, { id: `${customer.igId}2` });
  await settleEndedOrders(deps);
  expect((await changesOf(deps, workspaceId)).at(-1)).toBe('money_back -438 = 0');
  const settled = await deps.database.db
    .selectFrom('like_order')
    .select('credits_returned')
    .where('id', '=', late)
    .executeTakeFirstOrThrow();
  expect(settled.credits_returned).toBe(0);
});

test('a bonus that only this plan unlocked goes with it; one that a pack unlocks too stays', async () => {
  const alone = await newCustomer();
  const { workspaceId } = alone.customer;
  const now = new Date(deps.clock.now());
  const grant = (of: string) =>
    deps.database.transaction((tx) => grantBonus(tx, deps, { workspaceId: of, credits: 500, now }));
  await grant(workspaceId);
  await plantPost(deps, alone.customer, { id: '1' });
  await orderLikes(deps, alone.customer, { postId: '1', likes: 100 });
  expect(await requestRefund(deps, nameOf(alone.shopper))).toMatchObject({
    amount_cents: 44_960,
    bonus_credits: 500,
    taken_credits: 400,
  });
  expect(await readCreditStatus(deps.database.db, workspaceId)).toMatchObject({
    balance: 0,
    lockedBonus: 0,
  });

  const payer = await newCustomer();
  await grant(payer.customer.workspaceId);
  await createCreditsNode(deps)(payer.shopper, 'pack');
  expect(await requestRefund(deps, nameOf(payer.shopper))).toMatchObject({
    amount_cents: 45_000,
    bonus_credits: 0,
  });
  const left = await readCreditStatus(deps.database.db, payer.customer.workspaceId);
  expect(left).toMatchObject({ balance: 3000, lockedBonus: 0 });
});

test('credits that were bought or given stay, however much a plan has brought', async () => {
  const { shopper, customer } = await newCustomer();
  await giveCredits(deps, customer.workspaceId, 700);
  await requestRefund(deps, nameOf(shopper));
  expect(await changesOf(deps, customer.workspaceId)).toEqual(['correction +700 = 700']);
});

test('the 30th local day is the last, in the zone of the plan, also after a stop', async () => {
  made += 1;
  deps.clock.set('2027-03-01T04:30:00Z');
  const shopper = await newSubscriber(deps, `zoned${made}`, { timeZone: 'America/New_York' });
  // 28 February in New York is the first day, 29 March the thirtieth; clocks change in between.
  const quote = await quoteRefund(deps, nameOf(shopper));
  expect(quote.until).toBe('2027-03-30T03:59:59.999Z');
  await stopNow(deps, nameOf(shopper));
  deps.clock.set('2027-03-30T03:59:59.999Z');
  expect((await quoteRefund(deps, nameOf(shopper))).least).toBe(17);
  deps.clock.set('2027-03-30T04:00:00Z');
  await expect(quoteRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'money_back_over',
  });
  await expect(requestRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('once asked for it stands with the account, and isn’t offered again', async () => {
  const { shopper, customer } = await newCustomer();
  const stand = async () => {
    const [account] = await viewAccounts(deps, customer.workspaceId);
    const { moneyBackUntil, moneyBackAmount, moneyBackState } = account?.view ?? {};
    return [moneyBackUntil !== null, moneyBackAmount, moneyBackState];
  };
  expect(await stand()).toEqual([true, 450, null]);
  await requestRefund(deps, nameOf(shopper));
  expect(await stand()).toEqual([false, null, 'Requested']);
  await expect(quoteRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'money_back_over',
  });
  await approveRefundRequest(deps, {
    workspaceId: customer.workspaceId,
    subscriptionId: customer.subscriptionId,
  });
  expect(await stand()).toEqual([false, null, 'Approved']);
  await runDue(deps);
  expect(await stand()).toEqual([false, null, 'Paid']);
});

test('approved twice at once, the money goes back once', async () => {
  const { shopper, customer } = await newCustomer();
  await requestRefund(deps, nameOf(shopper));
  const { workspaceId, subscriptionId } = customer;
  const approvals = await Promise.all(
    [1, 2, 3].map(() => approveRefundRequest(deps, { workspaceId, subscriptionId })),
  );
  expect(approvals.filter(Boolean)).toHaveLength(1);
  await runDue(deps);
  const { refundedCents } = await gatewayBook(deps, shopper);
  expect(formatCents(refundedCents)).toBe('$450.00');
});
