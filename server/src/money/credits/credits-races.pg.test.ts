import { afterAll, beforeAll, expect, test } from 'vitest';
import { newShopper, wordOf } from '#test/checkout-fixture.ts';
import {
  changesOf,
  createCreditsNode,
  giveCredits,
  orderLikes,
} from '#test/money/credits-fixture.ts';
import { type Customer, plantCustomer, plantPost } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { systemClock } from '#server/main/system.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { requestCancel } from '#server/delivery/orders/like-order.repository.ts';
import { settleEndedOrders } from './settle-orders.job.ts';

let deps: TestDeps;
let customer: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  customer = await plantCustomer(deps, { igId: '178', igUsername: 'ada' });
});
afterAll(() => deps.database.close());

const balanceOf = async (workspaceId: string) =>
  Number((await changesOf(deps, workspaceId)).at(-1)?.split(' = ')[1]);

test('four workers that settle at once return each order’s rest once', async () => {
  await giveCredits(deps, customer.workspaceId, 40 * 20);
  for (let made = 0; made < 40; made += 1) {
    await plantPost(deps, customer, { id: String(1000 + made) });
    await orderLikes(deps, customer, { postId: String(1000 + made), likes: 20 });
    deps.clock.advance(1000);
  }
  await deps.database.db
    .updateTable('like_order')
    .set({
      state: 'Partial',
      delivered: 13,
      remains: 7,
      finished_at: new Date(deps.clock.now()),
      next_attempt_at: null,
    })
    .execute();
  expect(await balanceOf(customer.workspaceId)).toBe(0);
  await Promise.all(Array.from({ length: 4 }, () => settleEndedOrders(deps)));
  await settleEndedOrders(deps);
  expect(await balanceOf(customer.workspaceId)).toBe(40 * 7);
  expect(deps.logged).toEqual([]);
});

test('settling and spending at once keep the ledger whole', async () => {
  const { db } = deps.database;
  const { workspaceId } = customer;
  const before = await balanceOf(workspaceId);
  await giveCredits(deps, workspaceId, 400);
  await db
    .updateTable('like_order')
    .set({ credits_settled_at: new Date(deps.clock.now()), credits_returned: 0 })
    .execute();
  const orders = () =>
    Array.from({ length: 10 }, () => orderLikes(deps, customer, { postId: '1000', likes: 20 }));
  await Promise.all(orders());
  const end = { finished_at: new Date(deps.clock.now()), next_attempt_at: null };
  await db
    .updateTable('like_order')
    .set({ ...end, state: 'Canceled' })
    .where('finished_at', 'is', null)
    .execute();
  deps.clock.advance(60_000);
  await Promise.all([settleEndedOrders(deps), ...orders(), settleEndedOrders(deps)]);
  expect(await balanceOf(workspaceId)).toBe(before + 400 - 10 * 20);
});

test('an order and the deletion of its post: the order is refused, or asked to stop', async () => {
  const { workspaceId, accountId } = customer;
  await giveCredits(deps, workspaceId, 20 * 20);
  const now = new Date(deps.clock.now());
  for (let round = 0; round < 20; round += 1) {
    const postId = String(2000 + round);
    await plantPost(deps, customer, { id: postId });
    if (round % 10 === 0) deps.clock.advance(60_000);
    const [answer] = await Promise.all([
      orderLikes(deps, customer, { postId, likes: 20 }),
      deps.database.transaction(async (tx) => {
        await tx
          .updateTable('post')
          .set({ deleted_at: now })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', postId)
          .execute();
        const target = { accountId, postId };
        await requestCancel(tx, workspaceId, target, { reason: 'post_deleted', now });
      }),
    ]);
    const orders = await deps.database.db
      .selectFrom('like_order')
      .select('cancel_requested')
      .where('post_id', '=', postId)
      .execute();
    const expected = 'code' in answer ? [] : [{ cancel_requested: true }];
    expect([postId, orders]).toEqual([postId, expected]);
  }
});

// Shows facts 8.18, 8.20.
test('one form sent to four nodes at once is charged once', async () => {
  const shopper = await newShopper(deps, 'four_nodes');
  // Duplicates on other nodes wait for the answer, so time has to pass.
  const real = { ...deps, clock: systemClock };
  const nodes = Array.from({ length: 4 }, () => createCreditsNode(real));
  const answers = await Promise.all(nodes.map((buy) => buy(shopper, 'form')));
  expect(answers.map(wordOf)).toEqual(['paid', 'paid', 'paid', 'paid']);
  expect(deps.gateway.charges.filter(({ state }) => state === 'succeeded')).toHaveLength(1);
  expect(await changesOf(deps, shopper.session.workspaceId)).toEqual(['pack +2500 = 2500']);
});

test('after all that the ledger and its sources agree', async () => {
  const { db } = deps.database;
  expect([...(await checkLedger(db)), ...(await checkCreditSources(db))]).toEqual([]);
});
