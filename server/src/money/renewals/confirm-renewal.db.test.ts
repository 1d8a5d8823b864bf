import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import type { DeclineCode } from '#server/adapters/stripe/card-gateway.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { checkOverdue } from '#server/ops/invariants/overdue.ts';
import { countReturned } from '../charges/return-limits.ts';
import { ApiClient, type ApiResponse } from '#test/calls/api-client.ts';
import { bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { hearGateway, moneyProblems, paymentsOf } from '#test/money/gateway-fixture.ts';
import {
  endAll,
  mailPayloadsOf,
  mailsOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Renewals that their bank wants to ask the customer about. */
let deps: TestDeps;
let app: Hono;
let due = 0;
let keys = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
beforeEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** A customer whose plan fell due, signed in anew: sessions are over sooner than months. */
type Asked = Shopper & { userId: string; client: ApiClient };

const declined = (code: DeclineCode) => ({ kind: 'declined', code }) as const;

async function signIn(shopper: Shopper): Promise<ApiClient> {
  const owner = { ...shopper.session, keepSignedIn: false, userAgent: 'test' };
  const { token } = await openSession(deps, deps.database.db, owner);
  const client = new ApiClient(app, { address: shopper.igUsername });
  client.setCookie('ovation', token);
  return client;
}

async function fallDue(code: DeclineCode = 'authentication_required'): Promise<Asked> {
  due += 1;
  const shopper = await newSubscriber(deps, `due${due}`);
  const { next_billing_at } = await subscriptionOf(deps, shopper);
  deps.clock.set(next_billing_at.toISOString());
  deps.gateway.queueFailure(declined(code));
  await runDue(deps);
  const { userId } = shopper.session;
  return { ...shopper, userId, client: await signIn(shopper) };
}

const newKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });
const codeOf = ({ body }: ApiResponse) => body.code;
const planOf = (asked: Asked) => subscriptionOf(deps, asked);
const confirm = ({ client, userId, accountId }: Asked, headers = newKey()) =>
  client.call(CALLS.confirmRenewal, { userId, accountId }, headers);
const waitingFor = async (asked: Asked) => {
  const { userId } = asked;
  const client = await signIn(asked);
  return (await client.call(CALLS.findWaitingPayments, { userId })).body.data;
};

/** Another card is saved whose bank always asks. */
async function letBankAsk({ client, userId }: Asked): Promise<void> {
  const form = { ...CARD_FORM, ...ASKING_CARD, userId };
  const asked = await client.call(CALLS.replaceBillingInfo, form, newKey());
  deps.gateway.confirmAtBank(bankIdOf(asked));
  const paymentId = asked.body.action?.paymentId ?? '';
  await client.call(CALLS.findPaymentState, { userId, paymentId });
}

test('the bank wants its customer: past due, a mail, and no try without them', async () => {
  const asked = await fallDue();
  const row = await planOf(asked);
  expect(row).toMatchObject({ state: 'Past due' });
  expect(await mailsOf(deps, asked)).toContain('renewal_to_confirm');
  const since = row.past_due_since?.getTime() ?? 0;
  const until = new Date(since + 5 * DAY_MS).toISOString();
  expect(await waitingFor(asked)).toEqual([
    {
      paymentId: null,
      what: 'renewal',
      accountId: asked.accountId,
      igUsername: asked.igUsername,
      amount: 17,
      url: null,
      until,
    },
  ]);
  const charged = deps.gateway.charges.length;
  for (const days of [1, 2]) {
    deps.clock.advance(days * DAY_MS);
    await runDue(deps);
  }
  expect(await planOf(asked)).toMatchObject({ state: 'Past due' });
  expect(deps.gateway.charges).toHaveLength(charged);
  const mails = await mailPayloadsOf(deps, asked);
  const next = mails.flatMap((mail) =>
    mail.kind === 'renewal_to_confirm' ? [mail.nextReminderAt] : [],
  );
  expect(next).toEqual([1, 3, 5].map((days) => new Date(since + days * DAY_MS).toISOString()));
});

test('never confirmed, the plan expires as any that isn’t paid, and nothing is charged', async () => {
  const asked = await fallDue();
  const charged = deps.gateway.charges.length;
  for (let day = 0; day < 6; day += 1) {
    deps.clock.advance(DAY_MS);
    await runDue(deps);
  }
  expect(await planOf(asked)).toMatchObject({ state: 'Expired' });
  expect(await waitingFor(asked)).toEqual([]);
  expect(deps.gateway.charges).toHaveLength(charged);
  const client = await signIn(asked);
  expect(codeOf(await confirm({ ...asked, client }))).toBe('not_found');
});

test('confirmed by a card that its bank lets through: the plan goes on, and the card is set up', async () => {
  const asked = await fallDue();
  const key = newKey();
  const paid = await confirm(asked, key);
  expect(paid.body).toMatchObject({
    status: 'success',
    message: 'Your payment went through, and your plan continues.',
  });
  expect(await planOf(asked)).toMatchObject({ state: 'Active', period: 1 });
  expect(deps.gateway.charges.at(-1)?.request.presence).toMatchObject({
    kind: 'present',
    setsUpCard: true,
  });
  expect(await waitingFor(asked)).toEqual([]);
  const charged = deps.gateway.charges.length;
  expect((await confirm(asked, key)).body.status).toBe('success');
  expect(codeOf(await confirm(asked))).toBe('subscription_state');
  expect(deps.gateway.charges).toHaveLength(charged);
});

test('the bank asks: the plan goes on with its yes, and nothing expires meanwhile', async () => {
  const asked = await fallDue();
  await letBankAsk(asked);
  const key = newKey();
  const answer = await confirm(asked, key);
  expect(answer.body).toMatchObject({
    code: 'payment_needs_action',
    message: 'Your bank asks you to confirm $17.00.',
  });
  expect(codeOf(await confirm(asked))).toBe('payment_needs_action');
  const { paymentId = '' } = answer.body.action ?? {};
  expect(await waitingFor(asked)).toMatchObject([{ paymentId, what: 'renewal', amount: 17 }]);
  deps.clock.advance(50 * 60_000);
  await runDue(deps);
  expect(await planOf(asked)).toMatchObject({ state: 'Past due' });
  deps.gateway.confirmAtBank(bankIdOf(answer));
  expect((await confirm(asked, key)).body.status).toBe('success');
  expect(await planOf(asked)).toMatchObject({ state: 'Active', period: 1 });
});

test.each(['given up', 'refused at the bank'] as const)(
  'the bank asks in vain, %s: the plan waits on as before, without another mail',
  async (how) => {
    const asked = await fallDue();
    await letBankAsk(asked);
    const before = await planOf(asked);
    const mails = await mailsOf(deps, asked);
    const key = newKey();
    const answer = await confirm(asked, key);
    await runDue(deps);
    const { userId } = asked;
    const paymentId = answer.body.action?.paymentId ?? '';
    if (how === 'refused at the bank') deps.gateway.refuseAtBank(bankIdOf(answer));
    const call = how === 'given up' ? CALLS.giveUpPayment : CALLS.findPaymentState;
    const told = await asked.client.call(call, { userId, paymentId });
    expect(told.body.data).toMatchObject({ kind: 'declined', code: 'payment_not_confirmed' });
    expect(codeOf(await confirm(asked, key))).toBe('payment_not_confirmed');
    const { state, retry_at, next_action_at } = await planOf(asked);
    expect({ state, retry_at, next_action_at }).toEqual({
      state: 'Past due',
      retry_at: before.retry_at,
      next_action_at: before.retry_at,
    });
    expect(await mailsOf(deps, asked)).toEqual(mails);
    expect(await waitingFor(asked)).toMatchObject([{ paymentId: null }]);
  },
);

test('stopped while the bank asks: a yes that comes after it goes back', async () => {
  const asked = await fallDue();
  await letBankAsk(asked);
  const answer = await confirm(asked);
  const { userId, igUsername, client } = asked;
  await client.call(CALLS.stopSubscription, { userId, igUsername });
  deps.gateway.confirmAtBank(bankIdOf(answer));
  const paymentId = answer.body.action?.paymentId ?? '';
  const state = await client.call(CALLS.findPaymentState, { userId, paymentId });
  expect(state.body.data).toEqual({
    kind: 'returned',
    message: 'Your payment arrived too late. We’re returning it in full.',
  });
  await runDue(deps);
  expect(await moneyProblems(deps)).toEqual([]);
});

test('another card: what is due is charged to it at once, as its bank doesn’t ask', async () => {
  const asked = await fallDue();
  const form = { ...CARD_FORM, userId: asked.userId };
  const answer = await asked.client.call(CALLS.replaceBillingInfo, form, newKey());
  expect(answer.body.message).toBe(
    'Your card has been replaced, and the payment that was due went through.',
  );
  expect(await planOf(asked)).toMatchObject({ state: 'Active' });
});

test.each(['card_declined', 'insufficient_funds', 'card_invalid'] as const)(
  'the bank says %s to the customer’s own try: told so, and nothing else changes',
  async (code) => {
    const asked = await fallDue('insufficient_funds');
    const before = await planOf(asked);
    deps.gateway.queueFailure({ kind: 'declined', code });
    expect(codeOf(await confirm(asked))).toBe(code);
    expect(await planOf(asked)).toEqual(before);
  },
);

test('no plan, one that is paid up, another customer’s: nothing is charged', async () => {
  const other = await fallDue();
  const asked = await fallDue();
  expect(codeOf(await confirm({ ...asked, accountId: other.accountId }))).toBe('not_found');
  await confirm(asked);
  expect(codeOf(await confirm(asked))).toBe('subscription_state');
  expect(codeOf(await confirm({ ...asked, userId: other.userId }))).toBe('not_yours');
});

test('lost answers, refusals of our own, and another body under the same key', async () => {
  const other = await fallDue();
  const asked = await fallDue();
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  expect(codeOf(await confirm(asked))).toBe('payment_unavailable');
  deps.gateway.loseAnswers(1);
  const key = newKey();
  expect(codeOf(await confirm(asked, key))).toBe('payment_unknown');
  const { accountId } = other;
  expect(codeOf(await confirm({ ...asked, accountId }, key))).toBe('idempotency_conflict');
  deps.clock.advance(60_000);
  expect((await confirm(asked, key)).body.status).toBe('success');
});

test('whoever paid three times with another card confirms no renewal for a day', async () => {
  const asked = await fallDue();
  const { workspaceId, userId: askedBy } = asked.session;
  for (let paid = 0; paid < LIMITS.returned.uses; paid += 1) {
    await countReturned(deps, { workspaceId, askedBy, isPresent: true });
  }
  const sent = deps.gateway.charges.length;
  expect(codeOf(await confirm(asked))).toBe('payment_unavailable');
  expect(deps.gateway.charges).toHaveLength(sent);
  deps.clock.advance(DAY_MS);
  const client = await signIn(asked);
  expect((await confirm({ ...asked, client })).body.status).toBe('success');
});

test('too many tries, and a disputed card', async () => {
  const asked = await fallDue();
  const use = { ...LIMITS.checkout, key: asked.session.workspaceId };
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, use);
  expect(codeOf(await confirm(asked))).toBe('rate_limited');
  deps.clock.advance(use.perMs);
  const [paid = ''] = await paymentsOf(deps, asked);
  deps.gateway.openDispute(paid);
  const row = await planOf(asked);
  // A dispute would end the plan; only what the card may buy is asked about here.
  await hearGateway(deps);
  await deps.database.db
    .updateTable('subscription')
    .set({ state: 'Past due', retry_at: row.retry_at, ends_at: null })
    .where('id', '=', row.id)
    .execute();
  expect(codeOf(await confirm(asked))).toBe('card_disputed');
});

test('nothing waits longer than it may, and the books are equal', async () => {
  await runDue(deps);
  const overdue = await checkOverdue(deps.database.db, new Date(deps.clock.now()));
  expect(overdue.filter(({ problem }) => problem.includes('waiting for the bank'))).toEqual([]);
  expect(await moneyProblems(deps)).toEqual([]);
});
