import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changesOf, giveCredits, orderLikes } from '#test/money/credits-fixture.ts';
import { Died, dyingDeps, Lifetime } from '#test/processes/dying-process.ts';
import {
  type Customer,
  plantCustomer,
  plantOrder,
  plantPost,
  publish,
  readOrder,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';
import { createSettleOrdersJob, settleEndedOrders } from './settle-orders.job.ts';
import { listUnsettledOrders } from './settle-orders.repository.ts';

let deps: TestDeps;
let customer: Customer;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(newCustomer);

async function newCustomer(): Promise<void> {
  made += 1;
  customer = await plantCustomer(deps, { igId: `1780000${made}`, igUsername: `ada${made}` });
  await plantPost(deps, customer, { id: '101' });
  publish(deps, customer, '101');
}

/** An extra-likes order of 60, paid with 60 of 100 credits. */
async function creditOrder(): Promise<string> {
  await giveCredits(deps, customer.workspaceId, 100);
  const orderId = deps.ids.uuid();
  await orderLikes(deps, customer, { postId: '101', likes: 60, orderId });
  return orderId;
}

/** Ends an order with so many likes delivered. */
async function end(
  id: string,
  delivered: number,
  reason: LikeOrderRow['reason'] = 'ended_early',
): Promise<void> {
  const now = new Date(deps.clock.now());
  await deps.database.db
    .updateTable('like_order')
    .set((eb) => ({
      state: eb
        .case()
        .when('remains', '=', delivered)
        .then('Completed' as const)
        .else(delivered > 0 ? ('Partial' as const) : ('Canceled' as const))
        .end(),
      remains: eb('remains', '-', delivered),
      delivered,
      reason,
      finished_at: now,
      next_attempt_at: null,
    }))
    .where('id', '=', id)
    .execute();
}

const changes = () => changesOf(deps, customer.workspaceId);

test('what an extra-likes order didn’t deliver comes back, once', async () => {
  await end(await creditOrder(), 45);
  await settleEndedOrders(deps);
  expect(
    await listUnsettledOrders(deps.database.db, { now: new Date(deps.clock.now()), limit: 10 }),
  ).toEqual([]);
  await settleEndedOrders(deps);
  const expected = ['correction +100 = 100', 'hold -60 = 40', 'settle +15 = 55'];
  expect(await changes()).toEqual(expected);
});

test('a whole delivery changes no balance, a refused one brings all of it back', async () => {
  await end(await creditOrder(), 60);
  await settleEndedOrders(deps);
  expect(await changes()).toHaveLength(2);
  await newCustomer();
  await end(await creditOrder(), 0, 'media_gone');
  await settleEndedOrders(deps);
  expect((await changes()).at(-1)).toBe('settle +60 = 100');
});

test('an order that runs keeps its credits', async () => {
  await creditOrder();
  expect(await settleEndedOrders(deps)).toBe('idle');
  expect(await changes()).toHaveLength(2);
});

test.each([
  // 0.1665 cents a like, 0.4 cents a credit.
  { delivered: 0, returned: 21 },
  { delivered: 30, returned: 9 },
  { delivered: 49, returned: 1 },
  { delivered: 50, returned: 0 },
  { delivered: 52, returned: 0 },
  { delivered: 54, returned: 0 },
])(
  'of 50 plan likes and 4 bonus, $delivered delivered, $returned credits return',
  async ({ delivered, returned }) => {
    const id = await plantOrder(deps, customer, { post_id: '101', slot: 1, ordered: 50, bonus: 4 });
    await end(id, delivered);
    await settleEndedOrders(deps);
    await settleEndedOrders(deps);
    const expected = returned > 0 ? [`shortfall +${returned} = ${returned}`] : [];
    expect(await changes()).toEqual(expected);
    expect((await readOrder(deps.database.db, id)).credits_returned).toBe(returned);
  },
);

const REFUSALS = ['ended_early', 'media_gone', 'no_members', 'refused'] as const;

/** An automatic order that the provider ended without a like, and why it says so in the end. */
async function settledReason(reason: LikeOrderRow['reason']): Promise<unknown> {
  const id = await plantOrder(deps, customer, { post_id: '101', slot: 1 });
  await end(id, 0, reason);
  await settleEndedOrders(deps);
  const order = await readOrder(deps.database.db, id);
  return [order.reason, order.credits_returned];
}

test.each(REFUSALS)(
  'a deleted post gives nothing back on a plan, whatever the provider says (%s)',
  async (reason) => {
    deps.network.deletePost('101');
    expect(await settledReason(reason)).toEqual(['post_deleted', 0]);
    expect(await changes()).toEqual([]);
  },
);

test('an account that went private or was renamed away gives nothing back on a plan', async () => {
  deps.network.hideAccount(customer.igUsername);
  expect(await settledReason('ended_early')).toEqual(['account_unreadable', 0]);
  await newCustomer();
  deps.network.rename(customer.igUsername, `${customer.igUsername}.new`);
  expect(await settledReason('media_gone')).toEqual(['account_unreadable', 0]);
  await newCustomer();
  deps.network.rename(customer.igUsername, `${customer.igUsername}.new`);
  deps.network.addAccount(customer.igUsername);
  expect(await settledReason('media_gone')).toEqual(['account_unreadable', 0]);
  expect(await changes()).toEqual([]);
});

test('the provider’s own shortfall returns once account and post are seen', async () => {
  expect(await settledReason('no_members')).toEqual(['no_members', 9]);
  // Only whose account it is matters: of its posts as few are asked for as there can be.
  expect(deps.network.calls.at(-1)).toMatchObject({ username: customer.igUsername, limit: 1 });
});

test('what the customer stopped returns nothing, and the network isn’t asked', async () => {
  deps.network.hideAccount(customer.igUsername);
  expect(await settledReason('stopped')).toEqual(['stopped', 0]);
  expect(await changes()).toEqual([]);
});

test('bought credits return from a deleted post too, and the reason says it', async () => {
  const id = await creditOrder();
  deps.network.deletePost('101');
  await end(id, 15);
  await settleEndedOrders(deps);
  expect((await changes()).at(-1)).toBe('settle +45 = 85');
  const { reason, credits_returned: returned } = await readOrder(deps.database.db, id);
  expect([reason, returned]).toEqual(['post_deleted', 45]);
});

test('while the network can’t be asked nothing of a plan returns, and nothing is guessed', async () => {
  const unreachable = { kind: 'unreachable', reason: 'down', usage: undefined } as const;
  const plan = await plantOrder(deps, customer, { post_id: '101', slot: 1 });
  await end(plan, 0);
  const waits: number[] = [];
  for (let asked = 0; asked < 12; asked += 1) {
    deps.network.queueRead(unreachable);
    // A full round that settles nothing isn't followed by another at once.
    expect(await settleEndedOrders(deps, 1)).toBe('idle');
    const { settle_after: at } = await readOrder(deps.database.db, plan);
    const waitMs = (at?.getTime() ?? 0) - deps.clock.now();
    waits.push(waitMs / 1000);
    deps.clock.advance(waitMs);
  }
  expect(waits).toEqual([30, 30, 60, 120, 240, 480, 600, 600, 600, 600, 600, 600]);
  expect(await changes()).toEqual([]);
  await settleEndedOrders(deps);
  expect(await changes()).toEqual(['shortfall +9 = 9']);
});

test('bought credits don’t wait for a network that can’t be asked', async () => {
  const id = await creditOrder();
  await end(id, 15);
  deps.network.queueRead({ kind: 'unreachable', reason: 'down', usage: undefined });
  await settleEndedOrders(deps);
  expect((await changes()).at(-1)).toBe('settle +45 = 85');
  expect((await readOrder(deps.database.db, id)).reason).toBe('ended_early');
});

test('a worker that dies after any step returns nothing twice and nothing never', async () => {
  let deaths = 0;
  for (let dieAfter = 0; ; dieAfter += 1) {
    await newCustomer();
    await end(await creditOrder(), 45);
    await end(await plantOrder(deps, customer, { post_id: '101', slot: 1 }), 13);
    const lifetime = new Lifetime(dieAfter);
    const died: unknown = await settleEndedOrders(dyingDeps(deps, lifetime)).catch((e) => e);
    await settleEndedOrders(deps);
    const after = await changes();
    expect([dieAfter, after.filter((line) => line.includes('settle +15'))]).toHaveProperty(
      '1.length',
      1,
    );
    expect([dieAfter, after.filter((line) => line.includes('shortfall +3'))]).toHaveProperty(
      '1.length',
      1,
    );
    expect([dieAfter, after]).toHaveProperty('1.length', 4);
    expect(after.at(-1)).toMatch(/= 58$/);
    if (!(died instanceof Died) && !lifetime.isDead()) break;
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(2);
});

test('an order that can’t be settled is reported and keeps nobody else waiting', async () => {
  const broken = await creditOrder();
  const hold = { credits: 1, key: `order:${broken}:settle` };
  await deps.database.db
    .insertInto('ledger_transaction')
    .values({
      workspace_id: customer.workspaceId,
      id: deps.ids.uuid(),
      number: 99,
      kind: 'settle',
      description: 'planted',
      balance: 40,
      order_id: broken,
      at: new Date(deps.clock.now()),
      ...hold,
    })
    .execute();
  await end(broken, 0);
  await newCustomer();
  deps.clock.advance(1000);
  await end(await creditOrder(), 0);
  await settleEndedOrders(deps);
  expect((await changes()).at(-1)).toBe('settle +60 = 100');
  expect(deps.logged.at(-1)).toMatchObject({
    event: 'order not settled',
    fields: { orderId: broken },
  });
  // It isn't among the next ones: a hundred like it would be all that is looked at.
  const { db } = deps.database;
  const due = { now: new Date(deps.clock.now()), limit: 100 };
  expect((await listUnsettledOrders(db, due)).map(({ id }) => id)).not.toContain(broken);
  deps.clock.advance(30_000);
  const later = { now: new Date(deps.clock.now()), limit: 100 };
  expect((await listUnsettledOrders(db, later)).map(({ id }) => id)).toContain(broken);
  await db.updateTable('like_order').set({ finished_at: null }).where('id', '=', broken).execute();
});

test('of more ended orders than a round takes the next are taken at once', async () => {
  await end(await creditOrder(), 60);
  await end(await plantOrder(deps, customer, { post_id: '101', slot: 1 }), 20);
  const rounds = [];
  for (let round = 0; round < 3; round += 1) rounds.push(await settleEndedOrders(deps, 1));
  expect(rounds).toEqual(['again', 'again', 'idle']);
});

test('the job settles by itself, at the latest a second after an order ends', async () => {
  const stop = new AbortController();
  const orderId = await creditOrder();
  const job = createSettleOrdersJob(deps);
  await end(orderId, 10);
  const running = job.run(stop.signal);
  await expect.poll(changes).toHaveLength(3);
  stop.abort();
  await running;
});
