import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { claimDue, type DueRows, leaseOf, RAISE_FENCE } from './claim-due.ts';

const LEASE_MS = 60_000;

let deps: TestDeps;
const opened: TestDeps[] = [];

beforeEach(async () => {
  deps = await createTestDeps();
  opened.push(deps);
});
afterAll(() => Promise.all(opened.map(({ database }) => database.close())));

/** Requests of one workspace, due one second after the other, the last one now. @returns their keys, oldest first */
async function plantRows(count: number): Promise<string[]> {
  const workspace_id = deps.ids.uuid();
  const now = deps.clock.now();
  await deps.database.db
    .insertInto('workspace')
    .values({ id: workspace_id, created_at: new Date(now) })
    .execute();
  const rows = Array.from({ length: count }, (_, index) => ({
    workspace_id,
    key: `key-${index}`,
    email: 'ada@example.com',
    asked_at: new Date(now),
    next_attempt_at: new Date(now - (count - 1 - index) * 1000),
  }));
  await deps.database.db.insertInto('customer_request').values(rows.toReversed()).execute();
  return rows.map(({ key }) => key);
}

interface Claimed {
  key: string;
  fence: number;
  dueAt: Date;
}

function claim(changes: Partial<DueRows<'customer_request'>> = {}): Promise<Claimed[]> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: 10 });
  return claimDue(
    deps.database.db,
    {
      ...lease,
      table: 'customer_request',
      due: 'next_attempt_at',
      set: RAISE_FENCE,
      ...changes,
    },
    sql<{ key: string; fence: number }>`t.key, t.fence`,
  );
}

const keysOf = (claims: readonly Claimed[]): string[] => claims.map(({ key }) => key);

test('those waiting longest come first, no more than the limit, each with when it was due', async () => {
  const keys = await plantRows(5);
  const claims = await claim({ limit: 3 });
  expect(keysOf(claims)).toEqual(keys.slice(0, 3));
  expect(claims.map(({ dueAt }) => deps.clock.now() - dueAt.getTime())).toEqual([4000, 3000, 2000]);
  expect(keysOf(await claim())).toEqual(keys.slice(3));
});

test('what isn’t due yet, or never, or is excluded, is left alone', async () => {
  const [first, second] = await plantRows(2);
  expect(await claim({ now: new Date(deps.clock.now() - 2000) })).toEqual([]);
  expect(keysOf(await claim({ where: sql`t.key <> ${first}` }))).toEqual([second]);
  expect(keysOf(await claim())).toEqual([first]);
});

test('eight workers never get the same row, and none is left', async () => {
  const keys = await plantRows(200);
  const work = async (): Promise<Claimed[]> => {
    const claims: Claimed[] = [];
    for (;;) {
      const more = await claim({ limit: 7 });
      if (more.length === 0) return claims;
      claims.push(...more);
    }
  };
  const claims = (await Promise.all(Array.from({ length: 8 }, work))).flat();
  // A row that was locked when a worker looked is left to the next claim.
  claims.push(...(await work()));
  expect(keysOf(claims).toSorted()).toEqual(keys.toSorted());
  expect(new Set(claims.map(({ fence }) => fence))).toEqual(new Set([1]));
});

test('a dead worker’s lease runs out: the row is due again, under a higher fence', async () => {
  const keys = await plantRows(1);
  expect(await claim()).toMatchObject([{ fence: 1 }]);
  deps.clock.advance(LEASE_MS - 1);
  expect(await claim()).toEqual([]);
  deps.clock.advance(1);
  const [again] = await claim();
  expect(again).toMatchObject({ key: keys[0], fence: 2 });
});

test('a row that somebody holds is passed over, without waiting for it', async () => {
  const keys = await plantRows(2);
  await deps.database.transaction(async (tx) => {
    await sql`select from customer_request where key = ${keys[0]} for update`.execute(tx);
    expect(keysOf(await claim())).toEqual([keys[1]]);
  });
  expect(keysOf(await claim())).toEqual([keys[0]]);
});

test('a row that others only point to is claimed', async () => {
  const keys = await plantRows(1);
  await deps.database.transaction(async (tx) => {
    await sql`select from customer_request where key = ${keys[0]} for key share`.execute(tx);
    expect(keysOf(await claim())).toEqual(keys);
  });
});
