import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANS } from '#shared/domain/money/plans.ts';
import { CANARIES, createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { chargesOf } from '#test/money/checkout-books.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import type { SubscriptionForm } from './add-subscription.service.ts';

let deps: TestDeps;
let submit: ReturnType<typeof createNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  submit = createNode(deps, viewUser);
});
afterAll(() => deps.database.close());

const subscriptionsOf = async ({ session }: Shopper) => {
  const all = deps.database.db.selectFrom('subscription').selectAll();
  return all.where('workspace_id', '=', session.workspaceId).execute();
};
/** What the gateway took for a shopper, in cents. */
async function takenFrom(shopper: Shopper): Promise<number> {
  const ids = new Set((await chargesOf(deps, shopper)).map(({ id }) => id));
  return deps.gateway.charges
    .filter(({ state, request }) => state === 'succeeded' && ids.has(request.chargeId))
    .reduce((sum, { request, refundedCents }) => sum + request.amountCents - refundedCents, 0);
}
const reservations = () => deps.database.db.selectFrom('network_subscription').selectAll();

async function expectNothingHappened(shopper: Shopper): Promise<void> {
  expect(await takenFrom(shopper)).toBe(0);
  expect(await subscriptionsOf(shopper)).toEqual([]);
  const { workspaceId } = shopper.session;
  expect(await reservations().where('workspace_id', '=', workspaceId).execute()).toEqual([]);
}

// Shows facts 1.16, 2.08, 2.79, 9.01, 9.02, 9.03, 9.04.
test.each(PLANS)('plan $number costs $price dollars', async ({ number, price, priceCents }) => {
  const shopper = await newShopper(deps, `plan_${number}`);
  const told = await submit(shopper, 'form', { packageIndex: number, amount: Number(price) });
  expect(told).toMatchObject({ kind: 'paid' });
  expect(await takenFrom(shopper)).toBe(priceCents);
});

test('a paid checkout starts the subscription, all of it', async () => {
  deps.clock.set('2027-01-31T15:00:00Z');
  const shopper = await newShopper(deps, 'ada');
  const post = deps.network.addPost('ada');
  const told = await submit(shopper, 'form-ada');
  if (told.kind === 'error') throw told.error;

  const { user } = told;
  expect(user.inSubscription).toBe(true);
  expect(user.defaultIgUsername).toBe('ada');
  expect(user.connectedAccounts).toMatchObject([
    {
      igUsername: 'ada',
      accountPackageId: 2,
      accountPackageSubsriptionDate: '2027-01-31T15:00:00.000Z',
      nextBillingDate: '2027-02-28T15:00:00.000Z',
      subscriptionState: 'Active',
    },
  ]);
  const billingInfo = {
    ccNum: '•••••••••••••242',
    ccName: 'Ada Example',
    ccMonth: '12',
    ccYear: '2030',
  };
  expect(user.billingInfo).toEqual(billingInfo);
  expect(user.creditsTransactions).toMatchObject([
    {
      igUsername: 'ada',
      description: 'Monthly plan: 100 likes per post',
      price: 17,
      billingInfoId: billingInfo,
    },
  ]);

  expect(await takenFrom(shopper)).toBe(1700);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'succeeded', next_check_at: null, is_returned: false },
  ]);
  expect(await subscriptionsOf(shopper)).toMatchObject([
    { time_zone: 'America/New_York', period: 0, baseline_post_ids: [post.id] },
  ]);
  const { db } = deps.database;
  const stored = await db.selectFrom('post').selectAll().where('id', '=', post.id).execute();
  expect(stored).toHaveLength(1);
  const watched = await db
    .selectFrom('poll_schedule')
    .selectAll()
    .where('account_id', '=', shopper.accountId)
    .execute();
  expect(watched).toMatchObject([{ is_active: true, ig_username: 'ada' }]);
  const all = await db.selectFrom('invoice').selectAll().execute();
  const invoices = all.filter((each) => each.workspace_id === shopper.session.workspaceId);
  expect(invoices).toMatchObject([{ amount_cents: 1700, paid_at: new Date(deps.clock.now()) }]);
});

const refused: Array<[string, Partial<SubscriptionForm>, string, string]> = [
  [
    'an expired card',
    { ccMonth: 12, ccYear: 2026 },
    'card_invalid',
    'The selected date must be in the future.',
  ],
  ['a real card', { ccNum: '4111111111111111' }, 'card_invalid', 'Card number is invalid'],
  [
    'a wrong amount',
    { amount: 9.99 },
    'amount_mismatch',
    'This plan costs $17.00. You were not charged. Please reload the page and check the price.',
  ],
  [
    'another’s account',
    { igUsername: 'somebody' },
    'not_found',
    '@somebody isn’t one of your connected accounts. Please add it first.',
  ],
  [
    'a declined card',
    { ccNum: '4000000000000002' },
    'card_declined',
    'Unable to process the payment',
  ],
  [
    'a card without money',
    { ccNum: '4000000000009995' },
    'insufficient_funds',
    'Unable to process the payment',
  ],
  [
    'a card whose charge is declined',
    { ccNum: '4000000000000341' },
    'card_declined',
    'Unable to process the payment',
  ],
];

test.each(refused)(
  '%s is refused and nothing is half done',
  async (what, changes, code, message) => {
    const shopper = await newShopper(
      deps,
      `refused_${refused.findIndex(([name]) => name === what)}`,
    );
    const told = await submit(shopper, 'form', changes);
    expect(told).toMatchObject({ kind: 'error', error: { code, message } });
    await expectNothingHappened(shopper);
    // The way is free for a corrected form.
    expect(wordOf(await submit(shopper, 'corrected', {}))).toBe('paid');
    expect(await takenFrom(shopper)).toBe(1700);
  },
);

test('the messages beside the fields name the field', async () => {
  const shopper = await newShopper(deps, 'fields');
  const expired = await submit(shopper, 'a', { ccMonth: 12, ccYear: 2026 });
  expect(expired).toMatchObject({
    error: { fields: { ccMonth: 'The selected date must be in the future.' } },
  });
  const real = await submit(shopper, 'b', { ccNum: '4111111111111111' });
  expect(real).toMatchObject({ error: { fields: { ccNum: 'Card number is invalid' } } });
});

// Shows fact 5.13.
test('a card is good through its month where the customer is', async () => {
  deps.clock.set('2027-02-01T03:00:00Z');
  const shopper = await newShopper(deps, 'month_end');
  const changes = { ccMonth: 1, ccYear: 2027 };
  const inTokyo = await submit(shopper, 'a', { ...changes, timeZone: 'Asia/Tokyo' });
  expect(wordOf(inTokyo)).toBe('card_invalid');
  // In New York it is still 31 January.
  expect(wordOf(await submit(shopper, 'b', changes))).toBe('paid');
});

test('the amount the client shows may be sent, when it is right', async () => {
  const shopper = await newShopper(deps, 'right_amount');
  expect(wordOf(await submit(shopper, 'form', { packageIndex: 9, amount: 450 }))).toBe('paid');
  expect(await takenFrom(shopper)).toBe(45_000);
});

test('an account that can’t be read isn’t charged for, and each cause has its answer', async () => {
  const shopper = await newShopper(deps, 'hidden');
  deps.network.hideAccount('hidden');
  expect(wordOf(await submit(shopper, 'form'))).toBe('account_unreadable');
  deps.network.queueRead({ kind: 'unreachable', reason: 'timeout', usage: undefined });
  expect(wordOf(await submit(shopper, 'form'))).toBe('network_unreachable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 60_000, usage: undefined });
  expect(wordOf(await submit(shopper, 'form'))).toBe('network_throttled');
  await expectNothingHappened(shopper);
  // The same form goes through once the network lets us (the pause has some jitter).
  deps.clock.advance(120_000);
  deps.network.addAccount('hidden');
  expect(wordOf(await submit(shopper, 'form'))).toBe('paid');
});

test('a gateway that is down before the charge says so, and the same form works later', async () => {
  const shopper = await newShopper(deps, 'gateway_down');
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'reset' });
  expect(wordOf(await submit(shopper, 'form'))).toBe('payment_unavailable');
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'bad key' });
  expect(wordOf(await submit(shopper, 'form'))).toBe('payment_unavailable');
  await expectNothingHappened(shopper);
  expect(wordOf(await submit(shopper, 'form'))).toBe('paid');
});

test('an account with a plan gets no second one', async () => {
  const shopper = await newShopper(deps, 'twice');
  expect(wordOf(await submit(shopper, 'first'))).toBe('paid');
  expect(wordOf(await submit(shopper, 'second'))).toBe('account_already_subscribed');
  expect(await takenFrom(shopper)).toBe(1700);
});

test('a network account subscribed in one workspace is refused in another', async () => {
  const first = await newShopper(deps, 'shared');
  const second = await newShopper(deps, 'shared', { onNetwork: false });
  expect(wordOf(await submit(first, 'form'))).toBe('paid');
  expect(wordOf(await submit(second, 'form'))).toBe('account_already_subscribed');
  expect(await takenFrom(second)).toBe(0);
});

// Shows facts 8.18, 8.20.
test('a submit and its repeats are one charge; the same key with another body is a conflict', async () => {
  const shopper = await newShopper(deps, 'repeats');
  const first = await submit(shopper, 'form');
  expect(wordOf(first)).toBe('paid');
  expect(await submit(shopper, 'form')).toEqual(first);
  expect(wordOf(await submit(shopper, 'form', { packageIndex: 3 }))).toBe('idempotency_conflict');
  const keyless = await newShopper(deps, 'keyless');
  const answer = await submit(keyless, undefined);
  expect(await submit(keyless, undefined)).toEqual(answer);
  expect([await takenFrom(shopper), await takenFrom(keyless)]).toEqual([1700, 1700]);
});

test('a declined submit repeated is declined again without asking the bank', async () => {
  const shopper = await newShopper(deps, 'declined_twice');
  const changes = { ccNum: '4000000000000341' };
  expect(wordOf(await submit(shopper, 'form', changes))).toBe('card_declined');
  const calls = deps.gateway.calls.length;
  expect(wordOf(await submit(shopper, 'form', changes))).toBe('card_declined');
  expect(deps.gateway.calls).toHaveLength(calls);
});

test('a declined card does not become the saved card', async () => {
  const shopper = await newShopper(deps, 'saved_card');
  await submit(shopper, 'a', { ccNum: '4000000000000341', ccName: 'Wrong Card' });
  const told = await submit(shopper, 'b', { ccNum: '3782 822463 10005'.replaceAll(' ', '') });
  expect(told).toMatchObject({
    user: { billingInfo: { ccNum: '••••••••••••005', ccName: 'Ada Example' } },
  });
});

test('ten checkouts in ten minutes, then a pause; repeats of a paid one are free', async () => {
  const shopper = await newShopper(deps, 'often');
  const declined = { ccNum: '4000000000000341' };
  // What is refused before the gateway is asked doesn't count.
  for (let n = 0; n < 12; n += 1) {
    expect(wordOf(await submit(shopper, `typo-${n}`, { amount: 1 }))).toBe('amount_mismatch');
  }
  for (let n = 0; n < 9; n += 1) await submit(shopper, `try-${n}`, declined);
  expect(wordOf(await submit(shopper, 'paid'))).toBe('paid');
  expect(wordOf(await submit(shopper, 'paid'))).toBe('paid');
  const patient = await newShopper(deps, 'patient');
  for (let n = 0; n < 10; n += 1) await submit(patient, `try-${n}`, declined);
  const calls = deps.gateway.calls.length;
  expect(wordOf(await submit(patient, 'eleventh'))).toBe('rate_limited');
  expect(deps.gateway.calls).toHaveLength(calls);
  deps.clock.advance(600_000);
  expect(wordOf(await submit(patient, 'eleventh'))).toBe('paid');
});

test('no card number or CVV is in any row or log line, the billing address with its card and documents only', async () => {
  const shopper = await newShopper(deps, 'canary');
  const numbers = ['4000000000000002', '4000000000000341', '4000000000000119', '4242424242424242'];
  for (const ccNum of numbers) await submit(shopper, `canary-${ccNum}`, { ccNum });
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'
  `.execute(deps.database.db);
  expect(tables.length).toBeGreaterThan(15);
  const texts: string[] = deps.logged.map((line) => JSON.stringify(line));
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(deps.database.db);
    const isOfInvoices = ['card', 'billing_document'].includes(name);
    texts.push(
      ...rows.map(({ text }) => (isOfInvoices ? text.replaceAll(CANARIES.address, '') : text)),
    );
  }
  const all = texts.join('\n');
  expect(all.includes('Ada Example')).toBe(true);
  const secrets = [...numbers, CANARIES.address, CANARIES.phone, '"cvv"'];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  const cvv = new RegExp(`(?<![0-9a-z])${CANARIES.cvv}(?![0-9a-z])`, 'i');
  expect(texts.filter((text) => cvv.test(text))).toEqual([]);
});
