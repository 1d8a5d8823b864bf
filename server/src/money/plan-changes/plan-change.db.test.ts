import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { createPlanChanger, untilDue } from '#test/money/plan-changer.ts';
import {
  endAll,
  gatewayBook,
  live,
  mailPayloadsOf,
  mailsOf,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { keepPlan, openChange } from './change-plan.service.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { pauseSubscription, resume } from '../cancellation/pause.service.ts';

let deps: TestDeps;
let plans: ReturnType<typeof createPlanChanger>;
beforeAll(async () => {
  deps = await createTestDeps();
  plans = createPlanChanger(deps, viewUser);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const declined = { kind: 'declined', code: 'card_declined' } as const;
const accountOf = ({ data }: Awaited<ReturnType<typeof plans.change>>) => data.connectedAccounts[0];

// Shows fact 4.16.
test('a bigger plan costs its price less the whole days left after today, and starts a month of its own', async () => {
  deps.clock.set('2027-04-01T00:00:00Z');
  const shopper = await newSubscriber(deps, 'bigger');
  await live(deps, 15 * DAY_MS);
  const offer = await plans.quote(shopper, 4);
  expect(offer).toMatchObject({
    starts: 'now',
    price: 48,
    periodDays: 30,
    unusedDays: 14,
    unused: 7.93,
    totalToday: 40.07,
  });
  expect(accountOf(await plans.change(shopper, offer.quoteId))?.accountPackageId).toBe(4);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    subscription_version: 1,
    period: 0,
    anchor_at: new Date('2027-04-16T00:00:00Z'),
    next_billing_at: new Date('2027-05-16T00:00:00Z'),
  });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 4007]);
  await plans.change(shopper, offer.quoteId);
  await live(deps, 31 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 4007, 4800]);
  expect(await mailsOf(deps, shopper)).toContain('plan_changed');
});

test('a smaller plan costs nothing today, holds from the due date on, and is reminded of with its price', async () => {
  const shopper = await newSubscriber(deps, 'smaller', { packageIndex: 4 });
  const { next_billing_at: dueAt } = await subscriptionOf(deps, shopper);
  const offer = await plans.quote(shopper, 1);
  expect(offer).toMatchObject({
    starts: 'next_due_date',
    totalToday: 0,
    unused: 0,
    nextBillingDate: dueAt.toISOString(),
  });
  expect(accountOf(await plans.change(shopper, offer.quoteId))).toMatchObject({
    accountPackageId: 4,
    nextPackageId: 1,
    nextPackageFrom: dueAt.toISOString(),
  });
  await live(deps, 29 * DAY_MS);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 4,
    next_package: 1,
    subscription_version: 0,
  });
  await live(deps, 2 * DAY_MS);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 1,
    next_package: null,
    state: 'Active',
    period: 1,
    period_started_at: dueAt,
  });
  expect(await gatewayBook(deps, shopper)).toEqual({ chargedCents: [4800, 999], refundedCents: 0 });
  const mails = await mailsOf(deps, shopper);
  expect(mails.filter((kind) => kind.startsWith('plan') || kind.startsWith('renewal'))).toEqual([
    'plan_change_planned',
    'renewal_reminder',
    'plan_changed',
  ]);
  expect(
    (await mailPayloadsOf(deps, shopper)).find(({ kind }) => kind === 'renewal_reminder'),
  ).toMatchObject({
    package: 1,
    amountCents: 999,
  });
});

test('a planned change holds at the due date when its payment is declined too: past due is the smaller plan', async () => {
  const shopper = await newSubscriber(deps, 'smaller.unpaid', { packageIndex: 4 });
  await plans.changeTo(shopper, 1);
  await untilDue(deps, shopper);
  deps.gateway.queueFailure(declined);
  await runDue(deps);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 1,
    next_package: null,
    state: 'Past due',
  });
  await live(deps, DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([4800, 999]);
});

test('a smaller plan chosen while a month is unpaid follows after that month, which stays owed', async () => {
  const shopper = await newSubscriber(deps, 'owes', { packageIndex: 4 });
  await untilDue(deps, shopper);
  deps.gateway.queueFailure(declined);
  await runDue(deps);
  const planned = accountOf(await plans.changeTo(shopper, 1));
  expect(planned).toMatchObject({ subscriptionState: 'Past due', nextPackageId: 1 });
  await live(deps, DAY_MS);
  const row = await subscriptionOf(deps, shopper);
  expect(row).toMatchObject({ state: 'Active', package: 4, next_package: 1, period: 1 });
  expect(planned?.nextPackageFrom).toBe(row.next_billing_at.toISOString());
  await live(deps, 32 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([4800, 4800, 999]);
});

test('a planned change is taken back as often as asked, and nothing changes at the due date', async () => {
  const shopper = await newSubscriber(deps, 'keeps', { packageIndex: 4 });
  await plans.changeTo(shopper, 1);
  await keepPlan(deps, nameOf(shopper));
  await keepPlan(deps, nameOf(shopper));
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 4, next_package: null });
  await live(deps, 31 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([4800, 4800]);
  const mails = await mailsOf(deps, shopper);
  expect(mails.filter((kind) => kind === 'subscription_resumed')).toHaveLength(1);
});

test('a planned change that is submitted again after a crash is answered, and planned once', async () => {
  const shopper = await newSubscriber(deps, 'again', { packageIndex: 4 });
  const { quoteId } = await plans.quote(shopper, 1);
  const attempt = { workspaceId: shopper.session.workspaceId, quoteId, attemptId: deps.ids.uuid() };
  expect(await openChange(deps, attempt)).toBeUndefined();
  expect(await openChange(deps, attempt)).toBeUndefined();
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 4, next_package: 1 });
  const another = { ...attempt, attemptId: deps.ids.uuid() };
  await expect(openChange(deps, another)).rejects.toMatchObject({ code: 'price_changed' });
});

test('an upgrade, a stop and a stop at period end drop what was planned; a pause moves it', async () => {
  const names = ['drops.up', 'drops.stop', 'drops.cancel', 'moves.pause'] as const;
  const [up, stopped, canceled, paused] = await Promise.all(
    names.map((name) => newSubscriber(deps, name, { packageIndex: 4 })),
  );
  if (!up || !stopped || !canceled || !paused) throw new Error('Nobody subscribed');
  for (const shopper of [up, stopped, canceled, paused]) await plans.changeTo(shopper, 1);
  await plans.changeTo(up, 5);
  expect(await subscriptionOf(deps, up)).toMatchObject({ package: 5, next_package: null });
  await stopNow(deps, nameOf(stopped));
  expect(await subscriptionOf(deps, stopped)).toMatchObject({ next_package: null });
  await cancelSubscription(deps, nameOf(canceled));
  expect(await subscriptionOf(deps, canceled)).toMatchObject({ package: 4, next_package: null });
  await expect(plans.quote(canceled, 1)).rejects.toMatchObject({ code: 'subscription_state' });
  await resume(deps, nameOf(canceled));
  expect(await subscriptionOf(deps, canceled)).toMatchObject({ next_package: null });
  const until = new Date(deps.clock.now() + 10 * DAY_MS);
  await pauseSubscription(deps, nameOf(paused), until);
  await expect(plans.quote(paused, 1)).rejects.toMatchObject({ code: 'subscription_state' });
  const { next_billing_at: dueAt } = await subscriptionOf(deps, paused);
  await live(deps, dueAt.getTime() - deps.clock.now() + DAY_MS);
  expect(await subscriptionOf(deps, paused)).toMatchObject({ package: 1, next_package: null });
  expect((await gatewayBook(deps, paused)).chargedCents).toEqual([4800, 999]);
});

test('an upgrade while a month is unpaid pays its days that were served, too', async () => {
  const shopper = await newSubscriber(deps, 'owes.more', { packageIndex: 2 });
  for (const slot of [1, 2, 3, 4]) await orderToday(shopper, slot);
  await untilDue(deps, shopper);
  deps.gateway.queueFailure(declined);
  await runDue(deps);
  expect(await plans.quote(shopper, 4)).toMatchObject({ unpaidDays: 0, totalToday: 48 });
  await orderToday(shopper, 1);
  const offer = await plans.quote(shopper, 4);
  expect(offer).toMatchObject({ unusedDays: 0, unpaidDays: 1, unpaid: 0.55, totalToday: 48.55 });
  await plans.change(shopper, offer.quoteId);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    package: 4,
    past_due_since: null,
  });
});

/** An automatic order of the clock’s day in UTC. */
async function orderToday(shopper: Shopper, slot: number): Promise<void> {
  const { id, account_id: accountId, ig_id: igId } = await subscriptionOf(deps, shopper);
  const { workspaceId } = shopper.session;
  const customer = { ...shopper, workspaceId, subscriptionId: id, accountId, igId };
  const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
  const postId = `${igId}${day.replaceAll('-', '')}${slot}`;
  await plantPost(deps, customer, { id: postId });
  await plantOrder(deps, customer, {
    post_id: postId,
    slot,
    local_day: day,
    start_at: new Date(deps.clock.now()),
  });
}

test('a declined change keeps the old plan, and another quote can be paid', async () => {
  const shopper = await newSubscriber(deps, 'declined');
  const offer = await plans.quote(shopper, 4);
  deps.gateway.queueFailure(declined);
  await expect(plans.change(shopper, offer.quoteId)).rejects.toMatchObject({
    code: 'card_declined',
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 2,
    subscription_version: 0,
  });
  await plans.changeTo(shopper, 4);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 4,
    subscription_version: 2,
  });
});

// Shows facts 2.59, 4.17, 4.18.
test('a change whose answer is lost charges once and counts from its order; stopped meanwhile, its money goes back', async () => {
  const [kept, gone] = [await newSubscriber(deps, 'kept'), await newSubscriber(deps, 'gone')];
  const orderedAt = new Date(deps.clock.now());
  for (const shopper of [kept, gone]) {
    const offer = await plans.quote(shopper, 4);
    deps.gateway.loseAnswers(1);
    await expect(plans.change(shopper, offer.quoteId)).rejects.toMatchObject({
      code: 'payment_unknown',
    });
  }
  await stopNow(deps, nameOf(gone));
  await live(deps, 120_000, 5000);
  expect(await subscriptionOf(deps, kept)).toMatchObject({
    package: 4,
    state: 'Active',
    anchor_at: orderedAt,
  });
  expect((await gatewayBook(deps, kept)).refundedCents).toBe(0);
  const { chargedCents, refundedCents } = await gatewayBook(deps, gone);
  expect(refundedCents).toBe(chargedCents[1]);
});
