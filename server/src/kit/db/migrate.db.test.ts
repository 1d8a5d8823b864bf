import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';
import { migrate, MIGRATIONS } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const listDone = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(database.db);
  return rows.map(({ name }) => name);
};

test('nodes that start at once on an empty database migrate it once', async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  await Promise.all([migrate(database), migrate(database)]);
  expect(await listDone()).toEqual(Object.keys(MIGRATIONS));
});

test('a database that another version has changed is refused with what to do, and left as it is', async () => {
  const [first = ''] = Object.keys(MIGRATIONS);
  await sql`update kysely_migration set name = '0001-former' where name = ${first}`.execute(
    database.db,
  );
  const before = await listDone();
  await expect(migrate(database)).rejects.toThrow(
    'The database was changed by another version: this one doesn’t know its “0001-former”.',
  );
  expect(await listDone()).toEqual(before);
});
