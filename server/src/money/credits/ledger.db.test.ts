import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changesOf, giveCredits } from '#test/money/credits-fixture.ts';
import { type Customer, plantCustomer } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import { readCreditStatus } from './ledger.repository.ts';
import { correct, grantBonus } from './ledger.service.ts';

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
});

const now = (): Date => new Date(deps.clock.now());
const inTx = <T>(work: (tx: Tx) => Promise<T>) => deps.database.transaction(work);

function take(credits: number): Promise<number | undefined> {
  const { workspaceId } = customer;
  const reference = deps.ids.uuid();
  const correction = { workspaceId, reference, credits: -credits, description: 'Taken' };
  return inTx((tx) => correct(tx, deps, { ...correction, now: now() }));
}

test('every change is kept in order with the balance it led to', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  await take(30);
  await giveCredits(deps, customer.workspaceId, 5);
  expect(await changesOf(deps, customer.workspaceId)).toEqual([
    'correction +100 = 100',
    'correction -30 = 70',
    'correction +5 = 75',
  ]);
});

test('more than there is can’t be taken', async () => {
  expect(await take(1)).toBeUndefined();
  await giveCredits(deps, customer.workspaceId, 100);
  expect(await take(101)).toBeUndefined();
  expect(await take(100)).toBe(0);
});

test('the database refuses a balance below 0, whoever writes it', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  await expect(
    deps.database.db.updateTable('credit_balance').set({ balance: -1 }).execute(),
  ).rejects.toThrow('credit_balance_is_not_negative');
});

test('the sign-up bonus is given once; the second takes its transaction with it', async () => {
  const grant = { workspaceId: customer.workspaceId, credits: 500, now: now() };
  await inTx((tx) => grantBonus(tx, deps, grant));
  const again = inTx((tx) => grantBonus(tx, deps, grant));
  await expect(again).rejects.toSatisfy((error) => isUniqueViolation(error, 'ledger_key_is_once'));
  const status = await readCreditStatus(deps.database.db, customer.workspaceId);
  expect(status).toEqual({ balance: 500, lockedBonus: 500, hasPaid: false });
});

test('nothing of the ledger can be changed or deleted', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const { db } = deps.database;
  const attempts = [
    () => db.updateTable('ledger_entry').set({ amount: 7 }).execute(),
    () => db.deleteFrom('ledger_entry').execute(),
    () => db.updateTable('ledger_transaction').set({ credits: 7 }).execute(),
    () => db.deleteFrom('ledger_transaction').execute(),
    () => sql`truncate ledger_entry`.execute(db),
    () => sql`truncate ledger_transaction cascade`.execute(db),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow('append-only');
  expect(await changesOf(deps, customer.workspaceId)).toEqual(['correction +100 = 100']);
});

test('entries that don’t sum to 0 are refused at the commit', async () => {
  await giveCredits(deps, customer.workspaceId, 100);
  const { workspaceId } = customer;
  const { id } = await deps.database.db
    .selectFrom('ledger_transaction')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const entry = { workspace_id: workspaceId, transaction_id: id, account: 'packs', amount: 1 };
  const lopsided = inTx((tx) =>
    tx
      .insertInto('ledger_entry')
      .values({ ...entry, account: 'packs' })
      .execute(),
  );
  await expect(lopsided).rejects.toThrow('sums to 1');
});
