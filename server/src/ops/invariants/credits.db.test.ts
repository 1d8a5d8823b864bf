import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newShopper } from '#test/checkout-fixture.ts';
import { createCreditsNode, giveCredits, orderLikes } from '#test/money/credits-fixture.ts';
import {
  type Customer,
  plantCustomer,
  plantOrder,
  plantPost,
  publish,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { grantBonus } from '#server/money/credits/ledger.service.ts';
import { returnPack } from '#server/money/credits/return-pack.service.ts';
import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import { checkCreditSources } from './credit-sources.ts';
import { checkLedger } from './ledger.ts';

/** A database of its own for every test: what is planted in an append-only ledger stays. */
let deps: TestDeps;
let customer: Customer;
let buyer: string;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await sql`alter table ledger_entry disable trigger user`.execute(deps.database.db);
  await sql`alter table ledger_transaction disable trigger user`.execute(deps.database.db);
  for (const table of [
    'ledger_entry',
    'ledger_transaction',
    'credit_balance',
    'like_order',
  ] as const) {
    await deps.database.db.deleteFrom(table).execute();
  }
  await sql`alter table billing_document disable trigger user`.execute(deps.database.db);
  await deps.database.db.deleteFrom('billing_document').execute();
  await deps.database.db.deleteFrom('credits_transaction').execute();
  await deps.database.db.deleteFrom('refund').execute();
  await deps.database.db.deleteFrom('charge').execute();
  await deps.database.db.deleteFrom('invoice').execute();
  await liveThroughEverything();
});

let made = 0;

/** Bonus, pack, correction, an extra-likes order that ended short, and an automatic one. */
async function liveThroughEverything(): Promise<void> {
  made += 1;
  const shopper = await newShopper(deps, `buyer${made}`);
  buyer = shopper.session.workspaceId;
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    grantBonus(tx, deps, { workspaceId: buyer, credits: 500, now }),
  );
  await createCreditsNode(deps)(shopper, 'form');
  customer = await plantCustomer(deps, { igId: `178000${made}`, igUsername: `ada${made}` });
  await plantPost(deps, customer, { id: '101' });
  publish(deps, customer, '101');
  await giveCredits(deps, customer.workspaceId, 100);
  await orderLikes(deps, customer, { postId: '101', likes: 60 });
  await plantOrder(deps, customer, { post_id: '101', slot: 1 });
  await deps.database.db
    .updateTable('like_order')
    .set({ state: 'Partial', delivered: 15, finished_at: now, next_attempt_at: null })
    .execute();
  await settleEndedOrders(deps);
  await orderLikes(deps, customer, { postId: '101', likes: 20 });
}

async function problems(): Promise<string[]> {
  const { db } = deps.database;
  const found = [...(await checkLedger(db)), ...(await checkCreditSources(db))];
  return found.map(({ invariant, problem }) => `${invariant} ${problem}`);
}

const run = (statement: string) => sql.raw(statement).execute(deps.database.db);

test('bonus, pack, correction, orders and returns agree with each other', async () => {
  expect(await problems()).toEqual([]);
  const { rows } = await sql<{ kind: string }>`
    select distinct kind from ledger_transaction order by kind`.execute(deps.database.db);
  expect(rows.map(({ kind }) => kind)).toEqual([
    'bonus',
    'correction',
    'hold',
    'pack',
    'settle',
    'shortfall',
  ]);
});

test.each([
  ['an entry that was lost', `delete from ledger_entry where account = 'spent'`, 'I1'],
  [
    'an entry that was changed',
    `update ledger_entry set amount = -2501 where account = 'packs'`,
    'I1',
  ],
  ['a balance written past the ledger', `update credit_balance set balance = balance + 1`, 'I1'],
  ['a gap in the numbers', `update ledger_transaction set number = 9 where kind = 'pack'`, 'I1'],
  [
    'a wrong running balance',
    `update ledger_transaction set balance = 1 where kind = 'hold'`,
    'I1',
  ],
  ['a changed amount', `update ledger_transaction set credits = 9 where kind = 'shortfall'`, 'I1'],
])('%s is found', async (_what, bug, invariant) => {
  await run(bug);
  expect((await problems()).map((problem) => problem.split(' ')[0])).toContain(invariant);
});

test('a balance that no payment or order explains is found', async () => {
  await run(
    `update like_order set delivered = 16 where kind = 'credit' and finished_at is not null`,
  );
  expect(await problems()).toEqual(['I2 has 68 credits, payments, bonus and orders make it 67']);
});

test('an order that took no credits is found', async () => {
  await plantOrder(deps, customer, {
    post_id: '101',
    kind: 'credit',
    slot: null,
    local_day: null,
    subscription_id: null,
  });
  expect(await problems()).toEqual(['I2 has 68 credits, payments, bonus and orders make it 48']);
});

test('a pack that was paid for and not added, and one added without payment, are found', async () => {
  await run(`update charge set state = 'declined'`);
  expect(await problems()).toEqual([
    'I2 has 3000 credits, payments, bonus and orders make it 500',
    'I6 is good for no credits, granted were 2500',
  ]);
  await run(`update charge set state = 'succeeded'`);
  await run(`delete from ledger_entry`);
  await run(`delete from ledger_transaction where kind = 'pack'`);
  expect(await problems()).toContain('I6 is good for 2500 credits, granted were none');
});

test('a pack returned whose credits stayed, and one whose credits went while the money stayed, are found', async () => {
  const { id } = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', buyer)
    .executeTakeFirstOrThrow();
  expect(await returnPack(deps, id)).toMatchObject({ kind: 'returned' });
  expect(await problems()).toEqual([]);
  await run(`delete from refund`);
  expect(await problems()).toEqual([
    'I2 has 500 credits, payments, bonus and orders make it 3000',
    'I6 is good for no credits, granted were -2500',
  ]);
  await liveThroughEverything();
  await run(`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents,
      created_at, next_attempt_at)
    select workspace_id, gen_random_uuid(), id, 'returned', 'planted', amount_cents, created_at,
      created_at from charge where workspace_id = '${buyer}'`);
  expect(await problems()).toContain('I6 is good for -2500 credits, granted were none');
});

test('a shortfall returned too high, and one never returned, are found', async () => {
  await run(`update like_order set credits_returned = 4 where kind = 'automatic'`);
  expect(await problems()).toContain('I6 is good for 4 credits, granted were 3');
  await run(`delete from ledger_entry`);
  await run(`delete from ledger_transaction where kind = 'shortfall'`);
  expect(await problems()).toContain('I6 is good for 4 credits, granted were none');
});

test('a bonus without its grant is found', async () => {
  await run(`update credit_balance set bonus = 600 where bonus = 500`);
  expect(await problems()).toContain('I6 is good for 600 credits, granted were 500');
});
