import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changesOf, giveCredits, orderLikes } from '#test/credits-fixture.ts';
import { Died, dyingDeps, Lifetime } from '#test/dying-process.ts';
import { type Customer, plantCustomer, plantOrder, plantPost } from '#test/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';
import { createCreditsJob } from './credits.job.ts';
import { listUnsettledOrders } from './settle-orders.repository.ts';
import { settleEndedOrders } from './settle-orders.service.ts';

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
  expect(await listUnsettledOrders(deps.database.db, 10)).toEqual([]);
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
  { delivered: 0, returned: 50 },
  { delivered: 30, returned: 20 },
  { delivered: 49, returned: 1 },
  { delivered: 50, returned: 0 },
  { delivered: 52, returned: 0 },
  { delivered: 54, returned: 0 },
])(
  'of 50 plan likes and 4 bonus, $delivered delivered, $returned return',
  async ({ delivered, returned }) => {
    const order = { post_id: '101', slot: 1, ordered: 50, bonus: 4 };
    await end(await plantOrder(deps, customer, order), delivered);
    await settleEndedOrders(deps);
    await settleEndedOrders(deps);
    const expected = returned > 0 ? [`shortfall +${returned} = ${returned}`] : [];
    expect(await changes()).toEqual(expected);
  },
);

test('a deleted post’s rest returns; what the customer stopped does not', async () => {
  await plantPost(deps, customer, { id: '102' });
  await end(await plantOrder(deps, customer, { post_id: '101', slot: 1 }), 5, 'post_deleted');
  await end(await plantOrder(deps, customer, { post_id: '102', slot: 2 }), 5, 'stopped');
  await settleEndedOrders(deps);
  expect(await changes()).toEqual(['shortfall +15 = 15']);
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
    expect([dieAfter, after.filter((line) => line.includes('shortfall +7'))]).toHaveProperty(
      '1.length',
      1,
    );
    expect([dieAfter, after]).toHaveProperty('1.length', 4);
    expect(after.at(-1)).toMatch(/= 62$/);
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
  const { db } = deps.database;
  await db.updateTable('like_order').set({ finished_at: null }).where('id', '=', broken).execute();
});

test('the job settles by itself, at the latest a second after an order ends', async () => {
  const stop = new AbortController();
  const orderId = await creditOrder();
  const job = createCreditsJob(deps);
  await end(orderId, 10);
  const running = job.run(stop.signal);
  await expect.poll(changes).toHaveLength(3);
  stop.abort();
  await running;
});
