import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import {
  changesOf,
  createCreditsNode,
  giveCredits,
  orderLikes,
} from '#test/money/credits-fixture.ts';
import { newShopper } from '#test/checkout-fixture.ts';
import {
  type Customer,
  plantCustomer,
  plantOrder,
  plantPost,
  readOrder,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { spreadMs } from '#shared/domain/delivery/delivery-speed.ts';
import { grantBonus } from './ledger.service.ts';

let deps: TestDeps;
let customer: Customer;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  made += 1;
  customer = await plantCustomer(deps, { igId: `1780000${made}`, igUsername: `ada${made}` });
  await plantPost(deps, customer, { id: '101' });
});

const ordersOf = (workspaceId: string) =>
  deps.database.db
    .selectFrom('like_order')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('posted_at')
    .execute();

/** Orders and answers the id; fails when refused. */
async function ordered(order: Parameters<typeof orderLikes>[2]): Promise<string> {
  const answer = await orderLikes(deps, customer, order);
  if ('code' in answer) throw new Error(answer.message);
  return answer.orderId;
}

// Shows fact 1.17.
test('credits become an order that is due for delivery at once', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const answer = await orderLikes(deps, customer, { postId: '101', likes: 60 });
  expect(answer).toMatchObject({ credits: 40 });
  const [order] = await ordersOf(customer.workspaceId);
  const now = new Date(deps.clock.now());
  expect(order).toMatchObject({
    kind: 'credit',
    post_id: '101',
    shortcode: 'C101',
    ig_id: customer.igId,
    state: 'Pending',
    ordered: 60,
    bonus: 0,
    views: 0,
    speed: 'Instant',
    next_attempt_at: now,
    finish_by: new Date(now.getTime() + spreadMs('Instant', 60)),
  });
  expect(await changesOf(deps, customer.workspaceId)).toEqual([
    'correction +100 = 100',
    'hold -60 = 40',
  ]);
});

// Shows fact 1.09.
test('a video gets as many views, free of charge', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  await plantPost(deps, customer, { id: '102', media_type: 'VIDEO' });
  const id = await ordered({ postId: '102', likes: 100 });
  expect(await readOrder(deps.database.db, id)).toMatchObject({ ordered: 100, views: 100 });
});

// Shows fact 1.15.
test('a post from before the plan, one of years ago and the fifth of a day get likes', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const old = new Date(deps.clock.now() - 5 * DAY_MS);
  const older = new Date(deps.clock.now() - 2000 * DAY_MS);
  const imported = { detected_at: null, automatic_outcome: 'before_subscription' } as const;
  await plantPost(deps, customer, { id: '95', taken_at: old, ...imported });
  await plantPost(deps, customer, { id: '1', taken_at: older, ...imported });
  await plantPost(deps, customer, { id: '105', automatic_outcome: 'daily_limit' });
  for (const postId of ['95', '1', '105']) await ordered({ postId, likes: 20 });
  const now = new Date(deps.clock.now());
  expect(await ordersOf(customer.workspaceId)).toMatchObject([
    { post_id: '1', posted_at: older, detected_at: now },
    { post_id: '95', posted_at: old, detected_at: now },
    { post_id: '105', posted_at: now, detected_at: now },
  ]);
});

test('a post can be ordered for again, and beside its automatic order', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  await ordered({ postId: '101', likes: 20 });
  await plantOrder(deps, customer, { post_id: '101', slot: 1 });
  await ordered({ postId: '101', likes: 30 });
  expect(await ordersOf(customer.workspaceId)).toHaveLength(3);
});

test('the account’s speed is kept', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  await deps.database.db
    .updateTable('account')
    .set({ speed: '2 Hours' })
    .where('id', '=', customer.accountId)
    .execute();
  const id = await ordered({ postId: '101', likes: 20 });
  const order = await readOrder(deps.database.db, id);
  expect(order.finish_by.getTime() - order.start_at.getTime()).toBe(2 * 3_600_000);
});

// Shows facts 1.17, 5.10.
test('exactly the balance can be spent, and not one more', async () => {
  await giveCredits(deps, customer.workspaceId, 20);
  expect(await orderLikes(deps, customer, { postId: '101', likes: 21 })).toEqual({
    code: 'credits_too_low',
    message: 'You have 20 credits. That’s not enough for this order.',
  });
  expect(await orderLikes(deps, customer, { postId: '101', likes: 20 })).toMatchObject({
    credits: 0,
  });
  expect(await ordersOf(customer.workspaceId)).toHaveLength(1);
});

test('deleted, unknown and misnamed posts, and foreign accounts, are refused at no cost', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const stranger = await plantCustomer(deps, { igId: '999', igUsername: `eve${made}` });
  await plantPost(deps, stranger, { id: '201' });
  await plantPost(deps, customer, { id: '103', deleted_at: new Date(deps.clock.now()) });
  await plantPost(deps, customer, { id: '104', shortcode: 'other' });
  const refused = (postId: string, igUsername = customer.igUsername) =>
    orderLikes(deps, { ...customer, igUsername }, { postId, likes: 20 });
  expect(await refused('103')).toMatchObject({
    code: 'not_found',
    message: 'This post was deleted, so it can’t get likes.',
  });
  expect(await refused('104')).toMatchObject({ code: 'not_found' });
  expect(await refused('201')).toMatchObject({ code: 'not_found' });
  expect(await refused('201', stranger.igUsername)).toMatchObject({ code: 'not_yours' });
  expect(await changesOf(deps, customer.workspaceId)).toEqual(['correction +100 = 100']);
});

test('the same attempt again is the same order, also after its answer was lost', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const orderId = deps.ids.uuid();
  await ordered({ postId: '101', likes: 60, orderId });
  const again = await orderLikes(deps, customer, { postId: '101', likes: 60, orderId });
  expect(again).toEqual({ orderId, credits: 40 });
  expect(await ordersOf(customer.workspaceId)).toHaveLength(1);
});

test('bonus credits can be spent after a first payment, not before', async () => {
  const shopper = await newShopper(deps, `bonus${made}`);
  const { workspaceId } = shopper.session;
  const { accountId, igUsername } = shopper;
  const [igId, subscriptionId] = ['178', ''];
  await deps.database.db
    .updateTable('account')
    .set({ ig_id: igId })
    .where('id', '=', accountId)
    .execute();
  const owner = { workspaceId, accountId, igUsername, igId, subscriptionId };
  await plantPost(deps, owner, { id: '101' });
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) => grantBonus(tx, deps, { workspaceId, credits: 500, now }));
  await giveCredits(deps, workspaceId, 20);
  const order = (likes: number) => orderLikes(deps, owner, { postId: '101', likes });
  expect(await order(21)).toEqual({
    code: 'credits_too_low',
    message: 'Bonus credits can be spent after your first payment.',
  });
  expect(await order(20)).toMatchObject({ credits: 500 });
  expect(await order(20)).toMatchObject({ code: 'credits_too_low' });
  expect(await createCreditsNode(deps, viewUser)(shopper, 'form')).toMatchObject({
    kind: 'paid',
    user: { credits: 3000, inSubscription: true },
  });
  expect(await order(3000)).toMatchObject({ credits: 0 });
});
