import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { createMigrator, migrate } from './migrate.ts';

/** The newest version that had a billing balance. */
const BEFORE = '0018-sync-log-index';

let database: Database;
beforeAll(async () => {
  database = await openEmbedded({ image: undefined });
  const { error } = await createMigrator(database).migrateTo(BEFORE);
  if (error !== undefined) throw error;
});
afterAll(() => database.close());

const ids = {
  workspace: (n: number) => `00000000-0000-7000-8000-00000000000${n}`,
  charge: (n: number, nth: number) => `00000000-0000-7000-8000-0000000${nth}000${n}`,
};
const run = (statement: string) => sql.raw(statement).execute(database.db);

/** A customer with a plan whose charges (cents, oldest first) and billing balance are given. */
async function plant(
  n: number,
  { charges, balance, state = 'Active' }: { charges: number[]; balance: number; state?: string },
): Promise<void> {
  const id = `'${ids.workspace(n)}'`;
  const at = `'2026-11-20T12:00:00Z'`;
  await run(`insert into workspace (id, created_at) values (${id}, ${at})`);
  await run(`insert into account (workspace_id, id, ig_username, ig_id, automatic_likes, speed, created_at)
    values (${id}, ${id}, 'name.${n}', '${n}', true, 'Instant', ${at})`);
  await run(`insert into card (workspace_id, id, payment_method_id, brand, last_digits, holder_name,
    exp_month, exp_year, created_at) values (${id}, ${id}, 'pm', 'visa', '4242', 'Ada', 1, 2034, ${at})`);
  await run(`insert into subscription (workspace_id, id, account_id, ig_id, package, state, anchor_at,
    time_zone, period, period_started_at, next_billing_at, card_id, baseline_read_at, baseline_post_ids,
    created_at) values (${id}, ${id}, ${id}, '${n}', 2, '${state}', ${at}, 'UTC', 0, ${at},
    '2026-12-20T12:00:00Z', ${id}, ${at}, '{}', ${at})`);
  for (const [nth, cents] of charges.entries()) {
    const charge = `'${ids.charge(n, nth + 1)}'`;
    await run(`insert into invoice (workspace_id, id, subscription_id, period, amount_cents, description,
      checkout, created_at, paid_at) values (${id}, ${charge}, ${id}, ${nth}, ${cents}, 'Plan', '{}',
      ${at}, ${at})`);
    await run(`insert into charge (workspace_id, id, invoice_id, card_id, gateway_key, amount_cents,
      state, created_at, settled_at) values (${id}, ${charge}, ${charge}, ${id}, 'key ${nth}', ${cents},
      'succeeded', ${at}, ${at}::timestamptz + interval '${nth} hours')`);
  }
  await run(`insert into billing_balance (workspace_id, cents) values (${id}, ${balance})`);
  await run(`insert into billing_balance_entry (workspace_id, key, subscription_id, cents, at)
    values (${id}, 'invoice:x', ${id}, ${balance}, ${at})`);
}

test('an open billing balance goes back to the newest charges, never more than these were', async () => {
  await plant(1, { charges: [1700, 4800], balance: 3801 });
  await plant(2, { charges: [4800, 999], balance: 3801 });
  await plant(3, { charges: [1700], balance: -49 });
  // More than was ever charged is nobody's.
  await plant(4, { charges: [999], balance: 5000 });
  // What has gone back can't go back again.
  await plant(5, { charges: [1700], balance: 1000 });
  await run(`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    state, refunded_at) values ('${ids.workspace(5)}', '${ids.workspace(5)}', '${ids.charge(5, 1)}',
    'money_back', 'before', 1200, now(), 'refunded', now())`);
  // Declined, and owed less what the balance had paid of it.
  await plant(6, { charges: [4800], balance: 20, state: 'Past due' });
  await run(`insert into invoice (workspace_id, id, subscription_id, period, amount_cents,
    balance_used_cents, description, checkout, created_at) values ('${ids.workspace(6)}',
    '${ids.workspace(6)}', '${ids.workspace(6)}', 1, 700, 1000, 'Plan', '{}', now())`);
  await run(`insert into plan_quote (workspace_id, id, subscription_id, package, era, period, state,
    unused_cents, balance_cents, total_cents, expires_at) values ('${ids.workspace(1)}',
    '${ids.workspace(1)}', '${ids.workspace(1)}', 4, 0, 0, 'Active', 1, 1, 1, now())`);

  await migrate(database);

  const { rows } = await sql<{ charge: string; cents: number }>`
    select charge_id as charge, amount_cents as cents from refund
    where reason = 'balance' and state = 'owed' and next_attempt_at <= now()
    order by workspace_id, amount_cents`.execute(database.db);
  expect(rows).toEqual([
    { charge: ids.charge(1, 2), cents: 3801 },
    { charge: ids.charge(2, 2), cents: 999 },
    { charge: ids.charge(2, 1), cents: 2802 },
    { charge: ids.charge(4, 1), cents: 999 },
    { charge: ids.charge(5, 1), cents: 500 },
    { charge: ids.charge(6, 1), cents: 1020 },
  ]);
  const owed = await database.db
    .selectFrom('invoice')
    .select('amount_cents')
    .where('paid_at', 'is', null)
    .execute();
  expect(owed).toEqual([{ amount_cents: 1700 }]);
  expect(await database.db.selectFrom('plan_quote').select('id').execute()).toEqual([]);
});
