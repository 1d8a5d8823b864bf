import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import {
  endAll,
  gatewayBook,
  live,
  mailsOf,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { readCreditStatus } from '../credits/ledger.repository.ts';
import { cancelSubscription, stopNow } from './cancellation.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';
import { pauseSubscription, resume } from './pause.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const inDays = (days: number): Date => new Date(deps.clock.now() + days * DAY_MS);

test('stopping now ends likes and charges at once and frees the account', async () => {
  const shopper = await newSubscriber(deps, 'stopped');
  await stopNow(deps, nameOf(shopper));
  expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
  const again = await createNode(deps)(shopper, 'again');
  expect(wordOf(again)).toBe('paid');
  await live(deps, 2 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('a stop at the period’s end that is asked for again stays the one it was, and is told once', async () => {
  const shopper = await newSubscriber(deps, 'stopped_twice');
  const endsAt = await cancelSubscription(deps, nameOf(shopper));
  deps.clock.advance(DAY_MS);
  expect(await cancelSubscription(deps, nameOf(shopper))).toEqual(endsAt);
  expect(await mailsOf(deps, shopper)).toEqual(['receipt', 'subscription_ending']);
});

// Shows facts 1.19, 9.10.
test('money back: likes stop at once, approved on day 3, all charges returned, once', async () => {
  const shopper = await newSubscriber(deps, 'unhappy');
  await live(deps, 20 * DAY_MS);
  const request = await requestRefund(deps, nameOf(shopper));
  expect(request).toMatchObject({ state: 'Requested', amount_cents: 1700 });
  expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
  expect((await gatewayBook(deps, shopper)).refundedCents).toBe(0);
  expect(await requestRefund(deps, nameOf(shopper))).toEqual(request);
  await live(deps, 3 * DAY_MS);
  expect((await requestRefund(deps, nameOf(shopper))).state).toBe('Paid');
  await live(deps, 5 * DAY_MS);
  expect(await gatewayBook(deps, shopper)).toEqual({ chargedCents: [1700], refundedCents: 1700 });
  expect(await mailsOf(deps, shopper)).toEqual(['receipt', 'Requested', 'Approved', 'Paid']);
});

// Shows fact 9.10.
test('money back is over after 30 days, and possible once per network account', async () => {
  const shopper = await newSubscriber(deps, 'too_long');
  await live(deps, 32 * DAY_MS);
  await expect(requestRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'money_back_over',
  });
  const first = await newSubscriber(deps, 'returner');
  await requestRefund(deps, nameOf(first));
  const second = await newShopper(deps, 'returner', { onNetwork: false });
  expect(wordOf(await createNode(deps)(second, 'second'))).toBe('paid');
  await expect(requestRefund(deps, nameOf(second))).rejects.toMatchObject({
    code: 'money_back_over',
  });
  expect((await subscriptionOf(deps, second)).state).toBe('Active');
});

test('a duplicate of the money-back request gets the same answer, and so does a repeat after a stop', async () => {
  const shopper = await newSubscriber(deps, 'impatient');
  const ask = () => requestRefund(deps, nameOf(shopper));
  const [first, duplicate] = await Promise.all([ask(), ask()]);
  expect(duplicate).toEqual(first);
  expect(wordOf(await createNode(deps)(shopper, 'next'))).toBe('paid');
  await expect(ask()).rejects.toMatchObject({ code: 'money_back_over' });
  await stopNow(deps, nameOf(shopper));
  expect(await ask()).toEqual(first);
});

test('a refund the gateway fails is tried again under its own key', async () => {
  const shopper = await newSubscriber(deps, 'stubborn');
  await requestRefund(deps, nameOf(shopper));
  deps.clock.advance(3 * DAY_MS);
  deps.gateway.loseAnswers(2);
  await live(deps, 5 * 60_000, 60_000);
  expect(await gatewayBook(deps, shopper)).toEqual({ chargedCents: [1700], refundedCents: 1700 });
  expect((await requestRefund(deps, nameOf(shopper))).state).toBe('Paid');
});

test('every cancellation and pause is in the audit log, with who did it', async () => {
  const shopper = await newSubscriber(deps, 'audited');
  const name = { ...nameOf(shopper), actor: shopper.session.userId };
  await pauseSubscription(deps, name, inDays(5));
  await resume(deps, name);
  await cancelSubscription(deps, name);
  await resume(deps, name);
  await requestRefund(deps, name);
  await live(deps, 5 * DAY_MS);
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select(['action', 'actor'])
    .where('workspace_id', '=', shopper.session.workspaceId)
    .orderBy('seq')
    .execute();
  const who = (actor: string): string => (actor === name.actor ? 'customer' : actor);
  expect(rows.map(({ action, actor }) => `${who(actor)} ${action}`)).toEqual([
    'customer subscription_paid',
    'customer subscription_paused',
    'customer subscription_resumed',
    'customer subscription_cancelled',
    'customer subscription_resumed',
    'customer money_back_requested',
    'system money_back_approved',
    'system refunded',
  ]);
});

test('a first payment that is returned in full lets no bonus be spent', async () => {
  const shopper = await newSubscriber(deps, 'bonus_hunter');
  const { workspaceId } = shopper.session;
  const status = () => readCreditStatus(deps.database.db, workspaceId);
  expect((await status()).hasPaid).toBe(true);
  await requestRefund(deps, nameOf(shopper));
  expect((await status()).hasPaid).toBe(false);
});
