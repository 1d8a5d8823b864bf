import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkDocuments } from './documents.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  for (const name of ['ada', 'bo', 'cem']) await newSubscriber(deps, name);
  await run('alter table billing_document disable trigger user');
});
afterAll(() => deps.database.close());

const run = (statement: string) => sql.raw(statement).execute(deps.database.db);

/** What is found of a damage that is mended afterwards. */
async function found(...damage: string[]): Promise<string[]> {
  const { db } = deps.database;
  const kept = ['billing_document', 'invoice_series', 'charge', 'refund'];
  for (const table of kept) await run(`create table kept_${table} as select * from ${table}`);
  for (const statement of damage) await run(statement);
  const violations = await checkDocuments(db);
  await run('alter table credits_transaction disable trigger all');
  await run('delete from billing_document');
  await run('delete from refund');
  await run(`update charge c set amount_cents = k.amount_cents, state = k.state,
    is_before_invoices = k.is_before_invoices from kept_charge k where k.id = c.id`);
  await run('delete from invoice_series');
  for (const table of ['invoice_series', 'billing_document', 'refund']) {
    await run(`insert into ${table} select * from kept_${table}`);
  }
  for (const table of kept) await run(`drop table kept_${table}`);
  return violations.map(({ invariant, problem }) => `${invariant} ${problem}`);
}

test('honest payments violate nothing', async () => {
  expect(await checkDocuments(deps.database.db)).toEqual([]);
});

test.each<[what: string, damage: string[], said: string[]]>([
  [
    'a gap',
    [
      'update billing_document set number = 9 where number = 2',
      'update invoice_series set last_number = 9',
    ],
    ['I13 misses 2, 4, 5, 6, 7, 8'],
  ],
  [
    'a number that was given and not used',
    ['update invoice_series set last_number = 4'],
    ['I13 has 3 documents and is at number 4'],
  ],
  [
    'a number that is given twice',
    ['update billing_document set number = 1 where number = 2'],
    ['I13 misses 2'],
  ],
  [
    'a series nobody knows',
    [
      `update billing_document set series = 'X', number = 1 where number = 3`,
      'update invoice_series set last_number = 2',
    ],
    ['I13 has 1 documents and is at number 0'],
  ],
  [
    'a payment without an invoice',
    ['delete from billing_document where number = 3', 'update invoice_series set last_number = 2'],
    ['I13 is paid and has no invoice'],
  ],
  [
    'an invoice of another amount',
    ['update billing_document set amount_cents = 1 where number = 1'],
    ['I13 is 1700, its invoice 1'],
  ],
  [
    'an invoice of what wasn’t paid',
    [
      `update charge set state = 'declined' where id = (select charge_id from billing_document where number = 1)`,
    ],
    ['I13 has documents and is none that gets any'],
  ],
  [
    'a refund without a credit note',
    [
      `insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at, state, refunded_at)
        select workspace_id, gen_random_uuid(), charge_id, 'returned', 'planted', 500, now(), 'refunded', now()
        from billing_document where number = 1`,
    ],
    ['I13 500 have gone back, 0 are owed, and credit notes say 0'],
  ],
  [
    'a credit note of nothing that goes back',
    [
      `insert into billing_document (workspace_id, id, series, number, kind, charge_id, amount_cents, issued_at, content)
        select workspace_id, gen_random_uuid(), series, 4, 'credit_note', charge_id, 500, now(), content
        from billing_document where number = 1`,
      'update invoice_series set last_number = 4',
    ],
    ['I13 0 have gone back, 0 are owed, and credit notes say 500'],
  ],
])('I13 catches %s', async (_what, damage, said) => {
  expect(await found(...damage)).toEqual(said);
});
