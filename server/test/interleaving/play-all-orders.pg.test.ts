import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/kit/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts';
import { playAllOrders, type Race } from './play-all-orders.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table jar (id int primary key, coins int not null)`.execute(database.db);
});
afterAll(() => database.close());

/** A fresh jar of ten coins, and how many are in it at the end of each schedule. */
async function coinsAfter(
  sides: Race<undefined>['sides'],
  more: Partial<Race<undefined>> = {},
): Promise<{ seen: Set<number>; schedules: number }> {
  const seen = new Set<number>();
  const { schedules } = await playAllOrders(database, {
    scene: async () => {
      await sql`truncate jar`.execute(database.db);
      await sql`insert into jar values (1, 10), (2, 10)`.execute(database.db);
      return undefined;
    },
    sides,
    check: async () => {
      const { rows } = await sql<{ coins: number }>`select coins from jar where id = 1`.execute(
        database.db,
      );
      seen.add(rows[0]?.coins ?? NaN);
    },
    ...more,
  });
  return { seen, schedules };
}

const readCoins = (lock: string) => sql<{ coins: number }>`
  select coins from jar where id = 1 ${sql.raw(lock)}`;

const takeOne =
  (lock: string) =>
  (node: Database): Promise<void> =>
    node.transaction(async (tx) => {
      const { rows } = await readCoins(lock).execute(tx);
      await sql`update jar set coins = ${(rows[0]?.coins ?? 0) - 1} where id = 1`.execute(tx);
    });

test('a change lost between reading and writing is found; with a lock none is', async () => {
  const unlocked = await coinsAfter([takeOne(''), takeOne('')]);
  expect(unlocked.seen).toEqual(new Set([8, 9]));
  const locked = await coinsAfter([takeOne('for update'), takeOne('for update')]);
  expect(locked.seen).toEqual(new Set([8]));
});

test('a lock taken out of one side’s statements is missed', async () => {
  const rewriteFirst = (text: string): string => text.replace('for update', '');
  const { seen } = await coinsAfter([takeOne('for update'), takeOne('for update')], {
    rewriteFirst,
  });
  expect(seen).toEqual(new Set([8, 9]));
});

test('what a statement saw before it waited for a lock counts, not what it finds afterwards', async () => {
  const double = (node: Database): Promise<unknown> =>
    sql`update jar set coins = coins + (select coins from jar where id = 2) where id = 1`.execute(
      node.db,
    );
  const both = (node: Database): Promise<void> =>
    node.transaction(async (tx) => {
      await sql`update jar set coins = 100 where id = 1`.execute(tx);
      await sql`update jar set coins = 1 where id = 2`.execute(tx);
    });
  // Before: 20, then 100. After: 101. Begun before and waited: 100 + 10.
  const { seen } = await coinsAfter([double, both]);
  expect(seen).toEqual(new Set([100, 101, 110]));
});

test('two that wait for each other are told apart by the database, and both end', async () => {
  const inOrder =
    (first: number, second: number) =>
    (node: Database): Promise<void> =>
      node.transaction(async (tx) => {
        await sql`update jar set coins = coins - 1 where id = ${first}`.execute(tx);
        await sql`update jar set coins = coins - 1 where id = ${second}`.execute(tx);
      });
  const { seen, schedules } = await coinsAfter([inOrder(1, 2), inOrder(2, 1)]);
  expect(seen).toEqual(new Set([8]));
  expect(schedules).toBeGreaterThan(3);
});

test('work on different tables is played once', async () => {
  await sql`create table box (id int primary key)`.execute(database.db);
  let played = 0;
  const { schedules } = await coinsAfter([
    takeOne('for update'),
    (node) => sql`insert into box values (${(played += 1)})`.execute(node.db),
  ]);
  // Each transaction ends with its lines of the log: that is all that could meet.
  expect(schedules).toBeLessThan(4);
});
