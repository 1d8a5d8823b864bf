import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';
import { isUniqueViolation } from './database-error.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.db.deleteFrom('workspace').execute());

const at = new Date('2026-11-20T12:00:00Z');
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const count = async (): Promise<number> =>
  (await database.db.selectFrom('workspace').select('id').execute()).length;

test('a transaction that fails leaves nothing behind, whatever ran beside it', async () => {
  const { promise: inserted, resolve } = Promise.withResolvers<void>();
  const failing = database.transaction(async (tx) => {
    await tx
      .insertInto('workspace')
      .values({ id: id(1), created_at: at })
      .execute();
    resolve();
    await new Promise((next) => setImmediate(next));
    throw new Error('changed my mind');
  });
  await inserted;
  const beside = database.db
    .insertInto('workspace')
    .values({ id: id(2), created_at: at })
    .execute();
  await expect(failing).rejects.toThrow('changed my mind');
  await beside;
  expect(await database.db.selectFrom('workspace').select('id').execute()).toEqual([{ id: id(2) }]);
});

test('100 concurrent transactions all commit, each on its own', async () => {
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      database
        .transaction(async (tx) => {
          await tx
            .insertInto('workspace')
            .values({ id: id(n), created_at: at })
            .execute();
          await sql`select 1`.execute(tx);
          if (n % 4 === 0) throw new Error('one in four gives up');
        })
        .catch(() => undefined),
    ),
  );
  expect(await count()).toBe(75);
});

test('a query on the database inside a transaction does not wait for that transaction', async () => {
  const seen = await database.transaction(async () => count());
  expect(seen).toBe(0);
});

test('a transaction inside a transaction is refused', async () => {
  const nested = database.transaction(() => database.transaction(async () => 'never'));
  await expect(nested).rejects.toThrow('pass its tx');
});

test('what a transaction touched is told once it is over, and nothing of one that failed', async () => {
  await database.db
    .insertInto('workspace')
    .values({ id: id(1), created_at: at })
    .execute();
  const told: Array<Promise<string>> = [];
  const stop = database.changes.listen((touched) => {
    // A transaction that is still open would refuse another one.
    if (touched !== 'unknown') told.push(database.transaction(async () => 'over'));
  });
  const touch = (end: () => void): Promise<void> =>
    database.transaction(async (tx) => {
      await tx
        .insertInto('app_user')
        .values({
          workspace_id: id(1),
          id: id(1),
          name: 'Ada',
          email: 'ada@example.test',
          phone: '',
          password_hash: 'none',
          package: 1,
          time_zone: 'UTC',
          created_at: at,
        })
        .execute();
      end();
    });
  const failing = touch(() => {
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(told).toHaveLength(0);
  await touch(() => undefined);
  stop();
  expect(await Promise.all(told)).toEqual(['over']);
  await database.db.deleteFrom('app_user').execute();
});

test('a violated constraint is known by its name', async () => {
  const insert = () =>
    database.db
      .insertInto('workspace')
      .values({ id: id(1), created_at: at })
      .execute();
  await insert();
  const error: unknown = await insert().catch((caught: unknown) => caught);
  expect(isUniqueViolation(error, 'workspace_pkey')).toBe(true);
  expect(isUniqueViolation(error, 'another')).toBe(false);
});

test('instants, days, counts and arrays come back as they went in', async () => {
  const row = await sql<{ at: Date; day: string; many: number; list: string[] }>`
    select ${at}::timestamptz as at, '2026-02-28'::date as day, 9007199254740991::bigint as many,
      ${['17841401441775531', 'b']}::text[] as list`.execute(database.db);
  expect(row.rows[0]).toEqual({
    at,
    day: '2026-02-28',
    many: 9007199254740991,
    list: ['17841401441775531', 'b'],
  });
});
