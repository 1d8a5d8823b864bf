import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from '#server/main/app.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';

let deps: TestDeps;
let app: Hono;
let ada: SignedIn;
let workspaceId: string;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  made += 1;
  ada = await signInShopper(app, deps, `ada${made}`);
  ({ workspaceId } = ada);
});

/** Uses up all but so many uses of a limit. */
async function useUp(name: 'order' | 'checkout', left: number): Promise<void> {
  const { uses } = LIMITS[name];
  for (let used = left; used < uses; used += 1) {
    await limit(deps, { ...LIMITS[name], key: workspaceId });
  }
}

const key = (name: string) => ({ 'idempotency-key': name });

const likes = (changes: object = {}) => ({
  userId: ada.userId,
  igUsername: ada.igUsername,
  postId: '101',
  shortCode: 'C101',
  likes: 20,
  ...changes,
});

const pack = (changes: object = {}) => ({
  userId: ada.userId,
  credits: 2500,
  amount: 10,
  ...CARD_FORM,
  ...changes,
});

const order = (changes?: object, headers?: Record<string, string>) =>
  ada.client.call(CALLS.addLikeOrder, likes(changes), headers);
const buy = (changes?: object, headers?: Record<string, string>) =>
  ada.client.call(CALLS.buyCredits, pack(changes), headers);

async function countOrders(): Promise<number> {
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.length;
}

describe('addOrder', () => {
  // Shows fact 7.08.
  test('answers a message, the order and the credits that are left', async () => {
    await giveCredits(deps, workspaceId, 5000);
    const { httpStatus, body } = await order({ likes: '1500' });
    expect(httpStatus).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      message: '1,500 likes are on their way',
      data: { credits: 3500 },
    });
    const posts = await ada.client.call(CALLS.getPosts, { igId: ada.igId });
    expect(posts.body.data?.items.find(({ id }) => id === '101')).toMatchObject({
      totalLikesPurchased: 1500,
      automaticLikes: 0,
      order: { id: body.data?.orderId, state: 'Pending', target: 1500, bonus: 0, delivered: 0 },
    });
  });

  test('with a key is one order however often it is sent; without one each call is its own', async () => {
    await giveCredits(deps, workspaceId, 1000);
    const [first, duplicate] = await Promise.all([order({}, key('a')), order({}, key('a'))]);
    expect(first.httpStatus).toBe(200);
    expect(duplicate.body).toEqual(first.body);
    expect((await order({}, key('a'))).body).toEqual(first.body);
    expect(await countOrders()).toBe(1);
    await order({}, key('b'));
    await order();
    await order();
    expect(await countOrders()).toBe(4);
  });

  test('refuses a key that was used with other likes', async () => {
    await giveCredits(deps, workspaceId, 1000);
    await order({}, key('a'));
    const answer = await order({ likes: 21 }, key('a'));
    expect([answer.httpStatus, answer.body.code]).toEqual([409, 'idempotency_conflict']);
    expect(await countOrders()).toBe(1);
  });

  // Shows fact 5.10.
  test.each([
    [19, 'Please enter at least 20 likes'],
    [0, 'Please enter at least 20 likes'],
    [-20, 'Please enter at least 20 likes'],
    [20.5, 'Please enter at least 20 likes'],
    ['many', 'Please enter at least 20 likes'],
    [1_000_001, 'Please order at most 1,000,000 likes at once'],
  ])('refuses %s likes', async (amount, message) => {
    await giveCredits(deps, workspaceId, 2_000_000);
    const { httpStatus, body } = await order({ likes: amount });
    expect(httpStatus).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_input', message, fields: { likes: message } });
  });

  test('refuses more than the balance, and the same form works once there are credits', async () => {
    const sentence = 'You have 0 credits. That’s not enough for this order.';
    const { httpStatus, body } = await order({}, key('a'));
    expect(httpStatus).toBe(409);
    expect(body).toMatchObject({ status: 'error', code: 'credits_too_low', message: sentence });
    await giveCredits(deps, workspaceId, 20);
    expect((await order({}, key('a'))).body.data?.credits).toBe(0);
  });

  test('refuses posts and accounts that aren’t there', async () => {
    await giveCredits(deps, workspaceId, 100);
    const codes = await Promise.all(
      [{ postId: '999' }, { shortCode: 'other' }, { igUsername: 'somebody' }].map(
        async (changes) => {
          const { httpStatus, body } = await order(changes);
          return [httpStatus, body.code];
        },
      ),
    );
    expect(codes).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [403, 'not_yours'],
    ]);
  });

  test('takes 120 orders a minute', async () => {
    expect(LIMITS.order).toMatchObject({ uses: 120, perMs: 60_000 });
    await giveCredits(deps, workspaceId, 100);
    await useUp('order', 1);
    expect((await order()).httpStatus).toBe(200);
    const answer = await order();
    expect([answer.httpStatus, answer.body.code]).toEqual([429, 'rate_limited']);
    deps.clock.advance(60_000);
    expect((await order()).httpStatus).toBe(200);
  });
});

describe('addRecord', () => {
  // Shows facts 3.12, 7.10.
  test('answers the customer with the new credits, the payment and a masked card', async () => {
    const hyphened = { '-state': 'Ohio', '-apartment': '', ipAddress: '203.0.113.9' };
    const { httpStatus, body } = await buy({ amount: '10.00', credits: '2500', ...hyphened });
    expect(httpStatus).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      data: {
        id: ada.userId,
        credits: 2500,
        inSubscription: true,
        billingInfo: { ccName: 'Ada Example', ccMonth: '12', ccYear: '2030' },
        creditsTransactions: [{ description: '2,500 credits', price: 10 }],
      },
    });
    expect(body.data?.billingInfo?.ccNum).toMatch(/242$/);
    expect(JSON.stringify(body)).not.toContain('4242424242424242');
  });

  // Shows fact 2.47.
  test('lets who has no plan in while credits are left, and no longer', async () => {
    await buy();
    await order({ likes: 2500 });
    const { body } = await ada.client.call(CALLS.findUser, { userId: ada.userId });
    expect(body.data).toMatchObject({ credits: 0, inSubscription: false });
  });

  test.each<[string, object, number, string, string]>([
    [
      'another price',
      { amount: 9 },
      400,
      'amount_mismatch',
      'This package costs $10.00. You were not charged. Please reload the page and check the price.',
    ],
    [
      'a package that isn’t sold',
      { credits: 100, amount: 1 },
      400,
      'amount_mismatch',
      'There’s no such credit package. You were not charged. Please choose one from the list.',
    ],
    ['no package', { credits: '' }, 400, 'invalid_input', 'Please choose a credit package'],
    ['no name', { ccName: '' }, 400, 'invalid_input', 'Please enter a cardholder name'],
    [
      'a wrong number',
      { ccNum: '4242424242424241' },
      400,
      'invalid_input',
      'Card number is invalid',
    ],
    [
      'a card that is over',
      { ccMonth: '01', ccYear: '2025' },
      400,
      'card_invalid',
      'The selected date must be in the future.',
    ],
    [
      'a real card',
      { ccNum: '4111 1111 1111 1111' },
      400,
      'card_invalid',
      'Card number is invalid',
    ],
    [
      'a declined card',
      { ccNum: '4000 0000 0000 0002' },
      402,
      'card_declined',
      'Unable to process payment',
    ],
    [
      'a card without funds',
      { ccNum: '4000 0000 0000 9995' },
      402,
      'insufficient_funds',
      'Unable to process payment',
    ],
    [
      'a card whose answer gets lost',
      { ccNum: '4000 0000 0000 0119' },
      503,
      'payment_unknown',
      'Your payment is being checked. Please do not pay again.',
    ],
  ])('refuses %s', async (_what, changes, status, code, message) => {
    const answer = await buy(changes, key('a'));
    expect(answer.httpStatus).toBe(status);
    expect(answer.body).toMatchObject({ status: 'error', code, message });
    const user = await ada.client.call(CALLS.findUser, { userId: ada.userId });
    expect(user.body.data).toMatchObject({ credits: 0, creditsTransactions: [] });
  });

  test('refuses a key that was used for another pack', async () => {
    await buy({}, key('a'));
    const answer = await buy({ credits: 7500, amount: 29 }, key('a'));
    expect([answer.httpStatus, answer.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('says so when the gateway can’t be used', async () => {
    deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
    const answer = await buy();
    expect([answer.httpStatus, answer.body.code]).toEqual([503, 'payment_unavailable']);
  });

  test('takes ten attempts in ten minutes', async () => {
    expect(LIMITS.checkout).toMatchObject({ uses: 10, perMs: 600_000 });
    await useUp('checkout', 1);
    expect((await buy({ credits: 1 })).body.code).toBe('amount_mismatch');
    expect((await buy({}, key('tenth'))).httpStatus).toBe(200);
    const answer = await buy({}, key('last'));
    expect([answer.httpStatus, answer.body.code]).toEqual([429, 'rate_limited']);
  });
});
