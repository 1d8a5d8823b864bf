import { ownerSession } from '#test/people/owner-session.ts';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput } from '#shared/contract/call.ts';
import { findLikeOrders } from '#shared/contract/accounts/like-order.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import {
  type Customer,
  plantAccount,
  plantCustomer,
  plantOrder,
  plantPost,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { requestCancel } from '#server/delivery/orders/like-order.repository.ts';
import { projectOrders } from '#server/read-model/orders.service.ts';
import { registerPostRoutes } from '#server/routes/posts.routes.ts';

let deps: TestDeps;
let ada: Customer;
let bob: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  ada = await plantCustomer(deps, { igId: '17800000000000001', igUsername: 'ada' });
  bob = await plantCustomer(deps, { igId: '17800000000000002', igUsername: 'bob' });
  for (const id of ['101', '102', '103']) {
    await plantPost(deps, ada, { id });
    deps.clock.advance(1000);
  }
  await plantPost(deps, bob, { id: '201' });
});
afterAll(() => deps.database.close());

/** The routes as somebody who is signed in sees them. */
function clientOf(customer: Customer): ApiClient {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, deps, error));
  app.use(async (c, next) => {
    const { workspaceId } = customer;
    const asking = { sessionId: deps.ids.uuid(), userId: deps.ids.uuid(), workspaceId };
    c.set('session', ownerSession(asking));
    await next();
  });
  registerPostRoutes(app, deps);
  return new ApiClient(app);
}

test('receipts come newest first, whole, and of one post when asked so', async () => {
  const first = await plantOrder(deps, ada, { post_id: '101', slot: 1, ordered: 50, bonus: 4 });
  deps.clock.advance(1000);
  const second = await plantOrder(deps, ada, { post_id: '102', slot: 2 });
  const client = clientOf(ada);
  const all = await client.call(findLikeOrders, { igId: ada.igId });
  expect(all.httpStatus).toBe(200);
  expect(all.body.data?.map(({ id }) => id)).toEqual([second, first]);
  const one = await client.call(findLikeOrders, { igId: ada.igId, postId: '101' });
  expect(one.body.data).toEqual([
    {
      id: first,
      kind: 'automatic',
      igId: ada.igId,
      igUsername: 'ada',
      postId: '101',
      shortcode: 'C101',
      state: 'Pending',
      reason: null,
      speed: 'Instant',
      startCount: null,
      ordered: 50,
      bonus: 4,
      creditsReturned: null,
      delivered: 0,
      remains: 54,
      views: 0,
      viewsDelivered: 0,
      postedAt: '2026-11-20T12:00:03.000Z',
      detectedAt: '2026-11-20T12:00:03.000Z',
      startedAt: null,
      finishedAt: null,
      finishBy: '2026-11-20T12:00:23.000Z',
    },
  ]);
});

test('receipts of one account have none of another of the same workspace', async () => {
  const eli = await plantCustomer(deps, { igId: '17800000000000005', igUsername: 'eli' });
  const other = { accountId: deps.ids.uuid(), igId: '17800000000000006', igUsername: 'eli.too' };
  const second = { ...eli, ...other };
  await plantAccount(deps, second);
  await plantPost(deps, eli, { id: '501' });
  await plantPost(deps, second, { id: '502' });
  const own = await plantOrder(deps, eli, { post_id: '501', slot: 1 });
  await plantOrder(deps, second, { post_id: '502', slot: 2 });
  const { body } = await clientOf(eli).call(findLikeOrders, { igId: eli.igId });
  expect(body.data?.map(({ id }) => id)).toEqual([own]);
});

test('receipts are filtered by kind, state and time, all at once, and read page by page', async () => {
  const dee = await plantCustomer(deps, { igId: '17800000000000004', igUsername: 'dee' });
  const client = clientOf(dee);
  const startedAt = deps.clock.now();
  const at = (minutes: number): Date => new Date(startedAt + minutes * 60_000);
  const ids: string[] = [];
  for (const [minute, state] of (
    ['Pending', 'Completed', 'Partial', 'Completed'] as const
  ).entries()) {
    const id = `4${minute}`;
    await plantPost(deps, dee, { id });
    const isCredit = minute === 3;
    const kind = isCredit
      ? ({ kind: 'credit', slot: null, local_day: null, subscription_id: null } as const)
      : { slot: minute + 1 };
    const order = await plantOrder(deps, dee, { post_id: id, detected_at: at(minute), ...kind });
    const { db } = deps.database;
    await db.updateTable('like_order').set({ state }).where('id', '=', order).execute();
    ids.push(order);
  }
  const read = async (filter: Partial<CallInput<typeof findLikeOrders>>): Promise<number[]> => {
    const { body } = await client.call(findLikeOrders, { igId: dee.igId, ...filter });
    return (body.data ?? []).map(({ id }) => ids.indexOf(id));
  };
  expect(await read({})).toEqual([3, 2, 1, 0]);
  expect(await read({ kind: 'credit' })).toEqual([3]);
  expect(await read({ state: 'Completed' })).toEqual([3, 1]);
  expect(await read({ state: 'COMPLETE', kind: 'automatic' })).toEqual([1]);
  expect(await read({ since: at(1).toISOString(), until: at(3).toISOString() })).toEqual([2, 1]);
  expect(await read({ limit: 2 })).toEqual([3, 2]);
  expect(await read({ limit: 2, before: ids[2] ?? '' })).toEqual([1, 0]);
  expect(await read({ before: deps.ids.uuid() })).toEqual([]);
  const bad = await client.call(findLikeOrders, { igId: dee.igId, state: 'Lost', limit: 501 });
  expect([bad.httpStatus, bad.body.fields]).toEqual([
    400,
    { state: 'This isn’t an order state', limit: 'Please ask for 1 to 500 orders' },
  ]);
});

test('an account of somebody else, or of nobody, is refused alike', async () => {
  await plantOrder(deps, bob, { post_id: '201', slot: 1 });
  const answers = [
    await clientOf(ada).call(findLikeOrders, { igId: bob.igId }),
    await clientOf(ada).call(findLikeOrders, { igId: '17800000000000099' }),
  ];
  for (const { httpStatus, body } of answers) {
    expect(httpStatus).toBe(403);
    expect(body).toMatchObject({ status: 'error', code: 'not_yours' });
    expect(body.data).toBeUndefined();
  }
  expect(answers[0]?.body.message).toBe(answers[1]?.body.message);
});

test('a post of somebody else gives nothing', async () => {
  const { body } = await clientOf(ada).call(findLikeOrders, { igId: ada.igId, postId: '201' });
  expect(body.data).toEqual([]);
});

test('the database takes one automatic order for a post and one for a slot of a day', async () => {
  const again = plantOrder(deps, ada, { post_id: '101', slot: 4 });
  await expect(again).rejects.toSatisfy((error) =>
    isUniqueViolation(error, 'like_order_one_automatic'),
  );
  const taken = plantOrder(deps, ada, { post_id: '103', slot: 1 });
  await expect(taken).rejects.toSatisfy((error) =>
    isUniqueViolation(error, 'like_order_subscription_slot'),
  );
});

test('a stopped subscription stops its unfinished orders, nobody else’s', async () => {
  const stopped = await deps.database.transaction((tx) =>
    requestCancel(
      tx,
      ada.workspaceId,
      { subscriptionId: ada.subscriptionId },
      { reason: 'stopped', now: new Date(deps.clock.now()) },
    ),
  );
  expect(stopped).toBe(2);
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select(['account_id', 'cancel_requested'])
    .execute();
  for (const row of rows) expect(row.cancel_requested).toBe(row.account_id === ada.accountId);
});

test('a replica is told the code of why an order ended, once it has', async () => {
  const id = await plantOrder(deps, ada, { post_id: '103', slot: 3 });
  const order = deps.database.db.updateTable('like_order').where('id', '=', id);
  const codeOf = async () => {
    const rows = await projectOrders(deps, { workspaceId: ada.workspaceId }, [id]);
    return rows.map(([, { reasonCode }]) => reasonCode);
  };
  await order.set({ reason: 'stopped' }).execute();
  expect(await codeOf()).toEqual([null]);
  const now = new Date(deps.clock.now());
  await order.set({ state: 'Partial', finished_at: now, next_attempt_at: null }).execute();
  expect(await codeOf()).toEqual(['stopped']);
});
