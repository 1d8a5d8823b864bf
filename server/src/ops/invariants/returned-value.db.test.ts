import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createCreditsNode } from '#test/money/credits-fixture.ts';
import { type Customer, plantOrder, plantPost, publish } from '#test/delivery/order-fixture.ts';
import { live, nameOf, newSubscriber, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import { requestRefund } from '#server/money/refunds/refund-request.service.ts';
import { checkCreditSources } from './credit-sources.ts';
import { checkLedger } from './ledger.ts';
import { checkReturnedValue } from './returned-value.ts';

let deps: TestDeps;
let made = 0;
let shopper: Shopper;
let customer: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** A pack, a plan with an order that fell short, and the plan's money back, paid: nothing is wrong. */
beforeEach(async () => {
  await wipe();
  made += 1;
  shopper = await newSubscriber(deps, `ada${made}`, { packageIndex: 9 });
  await createCreditsNode(deps)(shopper, 'pack');
  const row = await subscriptionOf(deps, shopper);
  const { workspace_id: workspaceId, account_id: accountId, ig_id: igId, id } = row;
  customer = { workspaceId, accountId, igId, igUsername: shopper.igUsername, subscriptionId: id };
  await plantPost(deps, customer, { id: '1' });
  publish(deps, customer, '1');
  const terms = { plan_price_cents: 45_000, plan_likes: 10_000, period_days: 30 };
  await plantOrder(deps, customer, { post_id: '1', slot: 1, ordered: 10_000, ...terms });
  await run(`update like_order set state = 'Partial', reason = 'no_members', delivered = 5000,
    remains = 5000, finished_at = now(), next_attempt_at = null`);
  await settleEndedOrders(deps);
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
});

/** What is planted in an append-only ledger stays. */
async function wipe(): Promise<void> {
  await run(`alter table ledger_entry disable trigger user`);
  await run(`alter table ledger_transaction disable trigger user`);
  await run(`alter table billing_document disable trigger user`);
  for (const table of [
    'billing_document',
    'ledger_entry',
    'ledger_transaction',
    'credit_balance',
    'refund_request',
  ]) {
    await run(`delete from ${table}`);
  }
  for (const table of ['dispute', 'refund', 'like_order', 'refund_request_card']) {
    await run(`delete from ${table}`);
  }
  for (const table of ['credits_transaction', 'charge', 'invoice']) {
    await run(`delete from ${table}`);
  }
}

const run = (statement: string) => sql.raw(statement).execute(deps.database.db);

async function problems(): Promise<string[]> {
  const { db } = deps.database;
  const found = [
    ...(await checkReturnedValue(db)),
    ...(await checkCreditSources(db)),
    ...(await checkLedger(db)),
  ];
  return found.map(({ invariant, problem }) => `${invariant} ${problem}`);
}

test('a plan whose money went back, with credits taken, agrees with itself', async () => {
  const { rows } = await sql<{ amount: number; taken: number }>`
    select amount_cents as amount, taken_credits as taken from refund_request`.execute(
    deps.database.db,
  );
  // 2,500 likes beyond the free ones, at 0.0375 cents; 469 credits for 5,000 missing ones.
  expect(rows).toEqual([{ amount: 44_906, taken: 469 }]);
  expect(await problems()).toEqual([]);
});

test('a refund too many is found', async () => {
  await run(`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents,
      created_at, refunded_at, state)
    select workspace_id, gen_random_uuid(), charge_id, 'returned', 'planted', 95, now(), now(),
      'refunded' from refund where reason = 'money_back'`);
  expect(await problems()).toEqual([
    'I11 gives back 45001 of 45000',
    'I11 returns 44906, by the formula at most 44811',
  ]);
});

test('a dispute of what has gone back already is found, unless it was won', async () => {
  await run(`insert into dispute (workspace_id, id, charge_id, amount_cents, state, opened_at, heard_at)
    select workspace_id, 'dp_1', charge_id, 95, 'open', now(), '2099-01-01' from refund`);
  expect(await problems()).toEqual(['I11 gives back 45001 of 45000']);
  await run(`update dispute set state = 'won', decided_at = now()`);
  expect(await problems()).toEqual([]);
});

test('a plan that runs on a disputed payment is found', async () => {
  await run(`delete from refund`);
  await run(`delete from refund_request`);
  await dispute('subscription', '2099-01-01');
  expect(await problems()).not.toContain('I11 runs on a disputed payment');
  await run(`update subscription set state = 'Past due' where id = '${customer.subscriptionId}'`);
  expect(await problems()).toContain('I11 runs on a disputed payment');
  await run(`update subscription set state = 'Canceled' where id = '${customer.subscriptionId}'`);
});

test('what a disputed card has paid for since is found, unless the dispute was won', async () => {
  await dispute('credits', '2099-01-01');
  expect(await problems()).toEqual([]);
  await run(`update dispute set heard_at = '2000-01-01'`);
  expect(await problems()).toContain('I11 was made with a disputed card');
  await run(`update dispute set state = 'won', decided_at = now()`);
  expect(await problems()).toEqual([]);
});

/** Plants an open dispute of a payment, that has had no effect. */
const dispute = (kind: 'credits' | 'subscription', heardAt: string) =>
  run(`insert into dispute (workspace_id, id, charge_id, amount_cents, state, opened_at, heard_at)
    select c.workspace_id, 'dp_1', c.id, 1, 'open', now(), '${heardAt}' from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where i.checkout ->> 'kind' = '${kind}'`);

test('a money back above the formula is found', async () => {
  await run(`update refund_request set amount_cents = 44907`);
  expect(await problems()).toEqual(['I11 returns 44907, by the formula at most 44906']);
  await run(`update refund_request set amount_cents = 44906, has_free_likes = false`);
  expect(await problems()).toEqual(['I11 returns 44906, by the formula at most 44812']);
});

test('a shortfall credit for a deleted post is found, whether the order or the post says it', async () => {
  await run(`update like_order set reason = 'post_deleted'`);
  expect(await problems()).toEqual(['I11 returned 469 credits and owed 0']);
  await run(`update like_order set reason = 'no_members'`);
  await run(`update post set deleted_at = '2000-01-01'`);
  expect(await problems()).toEqual(['I11 returned 469 credits and owed 0']);
});

test('a shortfall credit above its value, and one given after the money back, are found', async () => {
  await run(`update like_order set delivered = 5010`);
  expect(await problems()).toContain('I11 returned 469 credits and owed 468');
  await run(`update like_order set delivered = 5000`);
  await run(`update refund_request set requested_at = '2000-01-01'`);
  expect(await problems()).toContain('I11 returned 469 credits and owed 0');
});

test('credits without a payment are found', async () => {
  await run(`update charge set state = 'declined' where id in
    (select charge_id from ledger_transaction where kind = 'pack')`);
  expect(await problems()).toContain('I11 gave 2500 credits without a payment');
});

test('credits that a money back says it took, and didn’t, are found', async () => {
  await run(`update refund_request set taken_credits = 470`);
  expect(await problems()).toContain('I6 is good for -470 credits, granted were -469');
});
