import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';

/**
 * Tables that are not a workspace's: the workspace itself, small directories for what is unique in the
 * world, rows found before anybody is known, and what belongs to all.
 */
const GLOBAL = new Set([
  'workspace',
  'email_directory',
  'network_subscription',
  'refund_request_account',
  'refund_request_card',
  'session',
  // Between a workspace and a person of another one.
  'membership',
  'deleted_session',
  'recovery',
  'graph_bucket',
  'remembered_profile',
  'network_owner',
  'rate_limit',
  'promo_grant',
  'sync_epoch',
  'client_order',
  'service_clock',
  'service_outage',
  'automatic_slot',
  'late_payment_grace',
  'gateway_reading',
  'unpaid_advance',
  'invoice_series',
  'policy_report',
]);
const KYSELY = ['kysely_migration', 'kysely_migration_lock'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Unique, primary and foreign keys with their columns, of every table that is a workspace's. */
async function keysWithoutWorkspace(): Promise<string[]> {
  const { rows } = await sql<{ name: string; owner: string; columns: string[] }>`
    select c.conname as name, t.relname as owner, array_agg(a.attname::text) as columns
      from pg_constraint c join pg_class t on t.oid = c.conrelid
      join unnest(c.conkey) k on true join pg_attribute a on a.attrelid = t.oid and a.attnum = k
      where c.contype in ('p', 'u', 'f') and t.relnamespace = 'public'::regnamespace group by 1, 2
    union all
    select i.relname, t.relname, array_agg(a.attname::text)
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join unnest(x.indkey::smallint[]) k on true
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k
      where x.indisunique and t.relnamespace = 'public'::regnamespace group by 1, 2`.execute(
    database.db,
  );
  return rows
    .filter(({ owner }) => !GLOBAL.has(owner) && !KYSELY.includes(owner))
    .filter(({ columns }) => !columns.includes('workspace_id'))
    .map(({ owner, name }) => `${owner}.${name}`);
}

test('the workspace stands in every unique and foreign key of its tables', async () => {
  expect(await keysWithoutWorkspace()).toEqual([]);
});

test('a key without the workspace is caught', async () => {
  await sql`create unique index planted on post (id)`.execute(database.db);
  expect(await keysWithoutWorkspace()).toEqual(['post.planted']);
  await sql`drop index planted`.execute(database.db);
});

test('user ids stand only on sign-in, sessions and preferences', async () => {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' order by 1`.execute(database.db);
  expect(rows.map(({ table_name: name }) => name)).toEqual([
    'account_view',
    'alert_choice',
    'client_grant',
    'email_directory',
    'known_browser',
    'member_charge',
    'member_raise',
    'membership',
    'session',
    'sync_client',
    'sync_mutation',
    'user_preference',
  ]);
});
