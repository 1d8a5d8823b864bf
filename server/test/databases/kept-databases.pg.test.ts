import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Every row there is, by table, and where sequences stand. */
async function contentsOf({ db }: TestDatabase): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    if (rows.length > 0) contents[name] = rows.map(({ row }) => row).join('\n');
  }
  const { rows: sequences } = await sql<{ name: string }>`
    select sequencename as name from pg_sequences where last_value is not null`.execute(db);
  for (const { name } of sequences) contents[name] = 'moved';
  return contents;
}

async function fill(database: TestDatabase): Promise<void> {
  const { db } = database;
  await sql`insert into rate_limit (name, key_hash, used, resets_at)
    select 'plant', n, 0, now() from generate_series(1, 500) n`.execute(db);
  await sql`update sync_epoch set cluster = 'another'`.execute(db);
  await database.transaction(async (tx) => {
    await sql`select set_config('timezone', 'Asia/Tokyo', false)`.execute(tx);
    await sql`select nextval(format('%I.%I', schemaname, sequencename)::regclass) from pg_sequences`.execute(
      tx,
    );
  });
}

/** Is used, closed, and opened again. @returns whether the next test gets the same one */
async function isKept(use: (database: TestDatabase) => Promise<unknown>): Promise<boolean> {
  const first = await createTestDatabase();
  await sql`select 1`.execute(first.db);
  await use(first);
  await first.close();
  const next = await createTestDatabase();
  await sql`select 1`.execute(next.db);
  await next.close();
  return first.url === next.url;
}

test('a database that a test has closed is the next one’s, as a new copy: rows, sequences, settings, sizes', async () => {
  const first = await createTestDatabase();
  const before = await contentsOf(first);
  await fill(first);
  expect(await contentsOf(first)).not.toEqual(before);
  await first.close();
  const next = await createTestDatabase();
  expect(next.url).toBe(first.url);
  expect(await contentsOf(next)).toEqual(before);
  const { rows } = await sql`
    select pg_relation_size(oid)::int as bytes, reltuples::int as counted,
      current_setting('timezone') as zone
    from pg_class where relname = 'rate_limit'`.execute(next.db);
  expect(rows).toEqual([{ bytes: 0, counted: -1, zone: expect.not.stringMatching('Tokyo') }]);
  await expect(sql`select 1`.execute(first.db)).rejects.toThrow('destroyed');
  await next.close();
});

test('one that has only rows that came and went is kept', async () => {
  expect(await isKept(fill)).toBe(true);
});

test.each([
  ['a table more', 'create table more (id int)'],
  ['a column more', 'alter table post add column more int'],
  ['no triggers', 'alter table post disable trigger user'],
  ['the triggers that were taken away and put back', 'alter table post enable trigger user'],
  ['a schema less', 'drop schema public cascade'],
])('one that has %s is nobody’s any more', async (_what, statement) => {
  expect(await isKept(({ db }) => sql.raw(statement).execute(db))).toBe(false);
});

test('one with a setting of its own is nobody’s any more', async () => {
  const set = ({ db, url }: TestDatabase) =>
    sql`alter database ${sql.id(url?.split('/').at(-1) ?? '')} set lock_timeout = '1s'`.execute(db);
  expect(await isKept(set)).toBe(false);
});

test('one that somebody else is still in is nobody’s any more', async () => {
  let other: pg.Client | undefined;
  const kept = await isKept(async ({ url }) => {
    other = new pg.Client({ connectionString: url });
    await other.connect();
  });
  await other?.end();
  expect(kept).toBe(false);
});

test('the server keeps what it made of a statement that is asked again, in the database’s next life too', async () => {
  const first = await createTestDatabase({ connections: 1 });
  const ask = ({ db }: TestDatabase) =>
    sql<{ asked: string }>`select ${'again'}::text as asked`.execute(db);
  const keptBy = async ({ db }: TestDatabase) => {
    const { rows } = await sql<{ uses: number }>`select (generic_plans + custom_plans)::int as uses
      from pg_prepared_statements where statement like '%as asked'`.execute(db);
    return rows.map(({ uses }) => uses);
  };
  await ask(first);
  expect(await keptBy(first)).toEqual([]);
  await ask(first);
  expect((await ask(first)).rows).toEqual([{ asked: 'again' }]);
  expect(await keptBy(first)).toEqual([2]);
  await first.close();
  const next = await createTestDatabase({ connections: 1 });
  expect(next.url).toBe(first.url);
  await ask(next);
  expect(await keptBy(next)).toEqual([3]);
  await next.close();
});
