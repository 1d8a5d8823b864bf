import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Customer,
  plantCustomer,
  plantOrder,
  plantPost,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { AutomaticOutcome } from '#shared/domain/delivery/automatic-likes.ts';
import { checkAutomaticOrders } from './automatic-orders.ts';

let deps: TestDeps;
let customer: Customer;
let since: Date;
beforeAll(async () => {
  deps = await createTestDeps();
  since = new Date(deps.clock.now());
  const account = { igId: '17800000000000001', igUsername: 'ada' };
  customer = await plantCustomer(deps, account, {
    time_zone: 'Asia/Tokyo',
    baseline_post_ids: ['100'],
  });
  deps.clock.advance(60_000);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await deps.database.db.deleteFrom('like_order').execute();
  await deps.database.db.deleteFrom('post').execute();
  await deps.database.db.deleteFrom('subscription_day').execute();
});

/** Noon of 20 November in UTC is still that day in Tokyo; 15:00 is not. */
const TOKYO_DAY = '2026-11-20';

async function plant(id: string, outcome: AutomaticOutcome, slot?: number): Promise<void> {
  deps.clock.advance(1000);
  await plantPost(deps, customer, { id, automatic_outcome: outcome });
  if (slot !== undefined) {
    await plantOrder(deps, customer, { post_id: id, slot, local_day: TOKYO_DAY });
  }
}

async function plantDay(): Promise<void> {
  for (const slot of [1, 2, 3, 4]) await plant(`10${slot}`, 'ordered', slot);
  await plant('105', 'daily_limit');
}

async function problems(): Promise<string[]> {
  const until = new Date(deps.clock.now());
  const found = await checkAutomaticOrders(deps.database.db, { since, until });
  expect(found.every(({ invariant }) => invariant === 'I3')).toBe(true);
  return found.map(({ subject, problem }) => `${subject} ${problem}`);
}

const deleteOrder = (postId: string) =>
  deps.database.db.deleteFrom('like_order').where('post_id', '=', postId).execute();
const setOutcome = (id: string, outcome: AutomaticOutcome) =>
  deps.database.db
    .updateTable('post')
    .set({ automatic_outcome: outcome })
    .where('id', '=', id)
    .execute();

test('a day of four orders and a fifth post without one is right', async () => {
  await plantDay();
  expect(await problems()).toEqual([]);
});

test('posts of the baseline, of a switched-off account and vanished undecided ones are right', async () => {
  await plant('100', 'before_subscription');
  await plant('101', 'switched_off');
  await plant('102', 'no_subscription');
  const gone = { deleted_at: new Date(deps.clock.now()) };
  await deps.database.db.updateTable('post').set(gone).where('id', '=', '102').execute();
  expect(await problems()).toEqual([]);
});

test('an order that was lost is found', async () => {
  await plantDay();
  await deleteOrder('102');
  expect(await problems()).toContain('post 102 is "ordered" with 0 orders');
});

test('a fifth order of a day is found', async () => {
  await plantDay();
  await plantOrder(deps, customer, { post_id: '105', slot: 1, local_day: '2026-11-21' });
  expect(await problems()).toEqual([
    'post 105 is "daily_limit" with 1 orders',
    'post 105 counts on 2026-11-21, not 2026-11-20',
  ]);
});

test('a new post that was taken for an old one, or never decided, is found', async () => {
  await plant('101', 'before_subscription');
  await plant('102', 'no_subscription');
  expect(await problems()).toEqual([
    'post 101 is new and paid for, but "before_subscription"',
    'post 102 is new and paid for, but "no_subscription"',
  ]);
});

test('a post refused before the fourth order is found', async () => {
  await plantDay();
  await deleteOrder('104');
  await setOutcome('104', 'switched_off');
  const day = `account and day ${customer.accountId} ${TOKYO_DAY}`;
  expect(await problems()).toEqual([`${day} refused a post at 3 automatic orders`]);
});

test('a slot that was given out a second time is found', async () => {
  await plantDay();
  await deleteOrder('104');
  await setOutcome('104', 'switched_off');
  await plant('106', 'ordered', 4);
  const day = `account and day ${customer.accountId} ${TOKYO_DAY}`;
  expect(await problems()).toEqual([`${day} served a post that was detected after a refused one`]);
});

test('a day that was given back and has an order is found', async () => {
  await plant('101', 'ordered', 1);
  expect(await problems()).toEqual([]);
  await deps.database.db
    .updateTable('subscription_day')
    .set({ state: 'given', cause: 'outage', subscription_version: 0, period: 0 })
    .execute();
  const day = `day ${TOKYO_DAY} of ${customer.subscriptionId}`;
  expect(await problems()).toEqual([`${day} was given back and has an order`]);
});

test('an order on a day that isn’t marked as used is found', async () => {
  await plant('101', 'ordered', 1);
  await deps.database.db.deleteFrom('subscription_day').execute();
  const day = `day ${TOKYO_DAY} of ${customer.subscriptionId}`;
  expect(await problems()).toEqual([`${day} has an order and isn’t marked as used`]);
});

test('a fifth order of a network account’s day is found, whoever ordered it', async () => {
  await plantDay();
  const { igId } = customer;
  const elsewhere = await plantCustomer(deps, { igId, igUsername: 'ada' });
  await plantPost(deps, elsewhere, { id: '105' });
  await plantOrder(deps, elsewhere, { post_id: '105', slot: 1, local_day: TOKYO_DAY });
  expect(await problems()).toContainEqual(
    expect.stringMatching(
      /^day 2026-11-20 of .* has more than four automatic orders in the world$/,
    ),
  );
});

test('a day counted in another zone than the account’s is found', async () => {
  deps.clock.set('2026-11-20T15:30:00Z');
  await plant('101', 'ordered', 1);
  expect(await problems()).toEqual(['post 101 counts on 2026-11-20, not 2026-11-21']);
});

test('a refused post of a day whose slots have been swept up is right', async () => {
  deps.clock.set('2026-11-20T12:05:00Z');
  await plant('101', 'daily_limit');
  const day = `account and day ${customer.accountId} ${TOKYO_DAY}`;
  expect(await problems()).toEqual([`${day} refused a post at 0 automatic orders`]);
  deps.clock.advance(8 * 86_400_000);
  expect(await problems()).toEqual([]);
});

test('an order of another plan than the one that pays for its post is found', async () => {
  const { workspaceId, subscriptionId } = customer;
  const takenAt = new Date(deps.clock.now());
  await plantPost(deps, customer, { id: '101', automatic_outcome: 'ordered' });
  const terms = { local_day: TOKYO_DAY, plan_likes: 10_000 };
  const id = await plantOrder(deps, customer, { post_id: '101', slot: 1, ...terms });
  const wrong = `order ${id} is of a plan of 10000 likes, its post is of plan 1`;
  expect(await problems()).toContain(wrong);
  const past = { workspace_id: workspaceId, subscription_id: subscriptionId, period_days: 30 };
  await deps.database.db
    .insertInto('past_plan')
    .values({ ...past, until_at: new Date(takenAt.getTime() + 1), package: 9 })
    .execute();
  expect(await problems()).not.toContain(wrong);
  // In advance it would have to be of the plan that held when it was made.
  await deps.database.db
    .updateTable('like_order')
    .set({ in_advance: true, start_at: new Date(takenAt.getTime() + 60_000) })
    .where('id', '=', id)
    .execute();
  expect(await problems()).toContain(wrong);
});
