import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { ApiClient, type ApiResponse } from '#test/calls/api-client.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { endAll, newSubscriber, runDue, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** While a payment waits at the bank its plan isn't tried, nor ends: nobody can make that last. */
let deps: TestDeps;
let app: Hono;
let keys = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
beforeEach(() => endAll(deps));
afterAll(() => deps.database.close());

const newKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });
const codeOf = ({ body }: ApiResponse) => body.code;

/** A plan that wasn't paid, a minute before its last try, with a saved card whose bank always asks. */
async function lastMinute(name: string) {
  const shopper = await newSubscriber(deps, name);
  const { userId, ...owner } = shopper.session;
  const planNow = () => subscriptionOf(deps, shopper);
  deps.clock.set((await planNow()).next_billing_at.toISOString());
  deps.gateway.queueFailure({ kind: 'declined', code: 'authentication_required' });
  await runDue(deps);
  const client = new ApiClient(app, { address: name });
  const signIn = async () => {
    const whose = { ...owner, userId, keepSignedIn: false, userAgent: 'test' };
    client.setCookie('ovation', (await openSession(deps, deps.database.db, whose)).token);
  };
  await signIn();
  const form = { ...CARD_FORM, ...ASKING_CARD, userId };
  const card = await client.call(CALLS.replaceBillingInfo, form, newKey());
  const { paymentId = '', url = '' } = card.body.action ?? {};
  deps.gateway.confirmAtBank(url.split('/').at(-1) ?? '');
  await client.call(CALLS.findPaymentState, { userId, paymentId });
  const since = (await planNow()).past_due_since?.getTime() ?? 0;
  deps.clock.set(new Date(since + 5 * DAY_MS - MINUTE_MS).toISOString());
  await runDue(deps);
  await signIn();
  return { ...shopper, userId, client, planNow };
}

/** Leaves a payment at the bank until the plan's last try is over, and gives it up. */
async function waitAndGiveUp(
  { client, userId }: { client: ApiClient; userId: string },
  asked: ApiResponse,
): Promise<void> {
  expect(codeOf(asked)).toBe('payment_needs_action');
  deps.clock.advance(50 * MINUTE_MS);
  await runDue(deps);
  const paymentId = asked.body.action?.paymentId ?? '';
  await client.call(CALLS.giveUpPayment, { userId, paymentId });
}

test('confirmations begun and given up again and again: it expires when its days are over', async () => {
  const late = await lastMinute('confirms');
  const { client, userId, accountId } = late;
  const confirm = () => client.call(CALLS.confirmRenewal, { userId, accountId }, newKey());
  await waitAndGiveUp(late, await confirm());
  expect(codeOf(await confirm())).toBe('subscription_state');
  await runDue(deps);
  expect(await late.planNow()).toMatchObject({ state: 'Expired' });
});

test('a dearer plan chosen again and again doesn’t make its days longer either', async () => {
  const late = await lastMinute('chooses');
  const { client, userId, igUsername } = late;
  const quote = () => client.call(CALLS.quotePlan, { userId, igUsername, packageIndex: 3 });
  const change = (quoteId: string) => client.call(CALLS.changePlan, { userId, quoteId }, newKey());
  // Seen before the last try, and good for a quarter of an hour.
  const early = (await quote()).body.data?.quoteId ?? '';
  const asked = await change((await quote()).body.data?.quoteId ?? '');
  await waitAndGiveUp(late, asked);
  // The jobs look again in minutes: until then another one could be begun.
  expect(codeOf(await quote())).toBe('subscription_state');
  expect(codeOf(await change(early))).toBe('price_changed');
  deps.clock.advance(10 * MINUTE_MS);
  await runDue(deps);
  expect(await late.planNow()).toMatchObject({ state: 'Expired' });
});

test('a confirmation begun in time is paid, however late the bank’s yes is', async () => {
  const late = await lastMinute('in_time');
  const { client, userId, accountId } = late;
  const key = newKey();
  const confirm = () => client.call(CALLS.confirmRenewal, { userId, accountId }, key);
  const asked = await confirm();
  deps.clock.advance(50 * MINUTE_MS);
  await runDue(deps);
  deps.gateway.confirmAtBank(asked.body.action?.url.split('/').at(-1) ?? '');
  expect((await confirm()).body.status).toBe('success');
  expect(await late.planNow()).toMatchObject({ state: 'Active', period: 1 });
});
