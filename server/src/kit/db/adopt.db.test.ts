import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogOf } from '#test/catalog.ts';
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts';
import { COLUMNS, DELIVERY_SETTINGS, FORMER, renameTable, TABLES } from './adopt.ts';
import { migrate, MIGRATIONS } from './migrate.ts';

/** Of the catalog that the former migrations made at commit 11c9faf, on either engine. */
const FORMER_CATALOG = '4da123730d7fe9dff1ead0c4442f2d5c1a2e0d03adfb4cf3a668f442e556656d';
const ID = '00000000-0000-7000-8000-000000000001';

let database: TestDatabase;
let present: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  present = await catalogOf(database.db);
  await beFirst();
});
afterAll(() => database.close());

/** Takes the schema back to what the first migrations made of it, whatever came after them. */
async function beFirst(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  const first = Object.fromEntries(Object.entries(MIGRATIONS).slice(0, 2));
  const provider = { getMigrations: async () => first };
  const { error } = await new Migrator({ db: database.db, provider }).migrateToLatest();
  expect(error).toBeUndefined();
}

const history = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(database.db);
  return rows.map(({ name }) => name);
};

/** Makes it a database whose history are these migrations. */
async function writeHistory(done: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration`.execute(database.db);
  await sql`insert into kysely_migration (name, timestamp)
    select name, 'then' from unnest(${done}::text[]) name`.execute(database.db);
}

/** Gives everything its former name, and delivery settings rows of their own. */
async function beFormer(): Promise<void> {
  const { db } = database;
  const { rows } = await sql<{ text: string }>`
    select pg_get_functiondef(oid) as text from pg_proc
      where pronamespace = 'public'::regnamespace and proname in
        ('sync_flush', 'sync_account', 'sync_subscription', 'sync_refund_request')
    union all select pg_get_triggerdef(oid) from pg_trigger
      where tgrelid = 'refund_request'::regclass and not tgisinternal`.execute(db);
  for (const name of [
    'sync_insert',
    'sync_update',
    'sync_delete',
    'sync_late',
    'sync_late_update',
  ]) {
    await sql`drop trigger ${sql.id(name)} on refund_request`.execute(db);
  }
  await sql`drop function sync_refund_request()`.execute(db);
  for (const [table, names] of Object.entries(COLUMNS)) {
    for (const [former, now] of names) {
      await sql`alter table ${sql.table(table)}
        rename column ${sql.id(now)} to ${sql.id(former)}`.execute(db);
    }
  }
  for (const [former, now] of TABLES) await renameTable(db, now, former);
  const [rowsBefore, rowsNow] = DELIVERY_SETTINGS;
  const both = `unnest(array['account', 'deliverySettings']) e`;
  for (const { text } of rows) {
    const former = text
      .replaceAll('refund_request', 'money_back')
      .replace(rowsNow, rowsBefore)
      .replaceAll(
        `'account', id::text, gone) from changed`,
        `e, id::text, gone) from changed, ${both}`,
      )
      .replaceAll(`'account', a::text, false)`, `e, a::text, false)`)
      .replaceAll(/(e, a::text, false\)\s+from changed c, )/g, `$1${both}, `);
    await sql.raw(former).execute(db);
  }
}

test('a database of the former migrations opens and goes on, whoever opens it first', async () => {
  await beFormer();
  await writeHistory(FORMER);
  const catalog = JSON.stringify(await catalogOf(database.db));
  expect(createHash('sha256').update(catalog).digest('hex')).toBe(FORMER_CATALOG);
  await database.db
    .insertInto('workspace')
    .values({ id: ID, created_at: new Date(0) })
    .execute();
  const plan = { kind: 'plan_change', fromEra: 3 };
  await sql`insert into invoice (workspace_id, id, amount_cents, description, checkout, created_at)
    values (${ID}, ${ID}, 0, '', ${plan}, now())`.execute(database.db);
  await sql`insert into sync_row (workspace_id, scope, entity, id, v, deleted)
    values (${ID}, ${`w:${ID}`}, 'deliverySettings', ${ID}, 1, false)`.execute(database.db);

  await Promise.all([migrate(database), migrate(database)]);

  expect(await history()).toEqual(Object.keys(MIGRATIONS));
  expect(await catalogOf(database.db)).toEqual(present);
  const kept = await database.db.selectFrom('invoice').select('checkout').execute();
  expect(kept).toEqual([{ checkout: { kind: 'plan_change', fromVersion: 3 } }]);
  expect(await database.db.selectFrom('sync_row').select('id').execute()).toEqual([]);
});

test('a database that some of them never reached is refused with what to do, and left as it is', async () => {
  const done = FORMER.slice(0, -1);
  await writeHistory(done);
  await expect(migrate(database)).rejects.toThrow(
    'The database is too old for this version. Start the version of commit 11c9faf on it once, then this one.',
  );
  expect(await history()).toEqual(done);
});

test('a difference in any part of the schema is seen', async () => {
  await sql`alter table post alter column caption set default ''`.execute(database.db);
  await sql`drop trigger append_only on ledger_entry`.execute(database.db);
  const changed = await catalogOf(database.db);
  expect(Object.keys(present).filter((part) => changed[part] !== present[part])).toEqual([
    'column post.caption',
    'trigger ledger_entry.append_only',
  ]);
});
