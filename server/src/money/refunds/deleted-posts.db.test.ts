import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { creditsCostCents } from '#shared/domain/money/like-price.ts';
import { orderLikes } from '#test/money/credits-fixture.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import {
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { readCreditStatus } from '../credits/ledger.repository.ts';
import { settleEndedOrders } from '../credits/settle-orders.job.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { requestRefund } from './refund-request.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const BATCH = { leaseMs: 30_000, batch: 100 };

test('who deletes their posts, takes the credits and then the money back, has neither', async () => {
  const shopper = await newSubscriber(deps, 'delete.mint', { packageIndex: 9 });
  const {
    workspace_id: workspaceId,
    account_id: accountId,
    ig_id: igId,
    id,
  } = await subscriptionOf(deps, shopper);
  const customer = { workspaceId, accountId, igId, igUsername: 'delete.mint', subscriptionId: id };
  const takenAtMs = deps.clock.now() - DAY_MS;
  deps.network.addPost('delete.mint', { id: '7', shortcode: 'C7', takenAtMs });
  const bench = new DetectionBench(deps);
  await bench.poll();
  const posts = [1, 2, 3, 4].map(() => deps.network.addPost('delete.mint'));
  await bench.pollLater();
  await placeDueOrders(deps, { ...BATCH, lockClaimed: lockClaimedOrders });
  expect(deps.provider.orders.size).toBe(4);

  for (const post of posts) deps.network.deletePost(post.id);
  for (const ref of deps.provider.orders.keys()) deps.provider.advance(ref, { status: 'Canceled' });
  deps.clock.advance(60_000);
  await pollDueOrders(deps, BATCH);
  await settleEndedOrders(deps);
  const { balance } = await readCreditStatus(deps.database.db, workspaceId);
  const moneyBack = await requestRefund(deps, nameOf(shopper));
  const extra = await orderLikes(deps, customer, { postId: '7', likes: 40_000 });
  expect(extra).toMatchObject({ code: 'credits_too_low' });
  await live(deps, 5 * DAY_MS);

  const { chargedCents, refundedCents } = await gatewayBook(deps, shopper);
  expect([moneyBack.amount_cents, chargedCents, refundedCents]).toEqual([45_000, [45_000], 45_000]);
  // Paid: nothing. Received: nothing that is worth anything.
  expect(creditsCostCents(balance)).toBe(0);
});
