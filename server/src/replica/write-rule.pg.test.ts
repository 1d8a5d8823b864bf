import { PROJECTION } from '#server/read-model/row-projection.ts';
import { sql } from 'kysely';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { PullAnswer } from '#shared/sync/pull.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import { newShopper } from '#test/checkout-fixture.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { totalOf } from '#test/sync-log/log-reader.ts';
import { plant } from '#test/sync-log/planted-logs.ts';
import { playLog, WORKSPACES } from '#test/sync-log/played-log.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { pull } from './pull.service.ts';

/** `TRANSACTIONS=30` for more of each writer. */
const TRANSACTIONS = Number(process.env['TRANSACTIONS'] ?? 12);
const PLAY = { writers: 6, transactions: TRANSACTIONS, readers: 2 };
/** What shows a planted bug is arranged before the writers begin. */
const PLANTED = { ...PLAY, transactions: 6, seed: 1 };

/** A database of its own, in which a deadlock is noticed at once. */
async function withDatabase<T>(work: (deps: TestDeps) => Promise<T>): Promise<T> {
  const deps = await createTestDeps();
  try {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      deps.database.db,
    );
    const name = sql.id(rows[0]?.name ?? '');
    await sql`alter database ${name} set deadlock_timeout = '20ms'`.execute(deps.database.db);
    return await work(deps);
  } finally {
    await deps.database.close();
  }
}

test.each([1, 2])(
  'no reader misses a change, no head is skipped and no writer is in another’s way (seed %i)',
  async (seed) => {
    const played = await withDatabase((deps) => playLog(deps, { ...PLAY, seed }));
    expect(played).toMatchObject({ missed: [], deadlocks: 0, uncounted: [], disorder: [] });
    expect(played.commits).toBeGreaterThan(4 * TRANSACTIONS);
    // How often readers pull meanwhile is a matter of pace: each brings each workspace's changes once at least.
    expect(played.pages).toBeGreaterThanOrEqual(PLAY.readers * WORKSPACES);
  },
);

test('versions from a sequence lose changes, and the readers’ replicas show it', async () => {
  const played = await withDatabase(async (deps) => {
    await plant(deps.database.db, 'versions of a sequence');
    return playLog(deps, PLANTED);
  });
  expect(played.missed).not.toEqual([]);
});

test('heads that are locked in no order bring writers to a deadlock, and it is counted', async () => {
  const played = await withDatabase(async (deps) => {
    await plant(deps.database.db, 'heads in no order');
    return playLog(deps, PLANTED);
  });
  expect(played.deadlocks).toBeGreaterThan(0);
});

test('heads that are raised first bring writers to a deadlock, and it is counted', async () => {
  const played = await withDatabase(async (deps) => {
    await plant(deps.database.db, 'heads first');
    return playLog(deps, PLANTED);
  });
  expect(played.deadlocks).toBeGreaterThan(0);
});

/** What a replica holds that pulls between two commits, of which the later one wrote first. */
async function likesSeen(deps: TestDeps): Promise<unknown[]> {
  const { session, accountId, igUsername } = await newShopper(deps, 'ada');
  const { workspaceId } = session;
  const owner = { ...session, accountId, igUsername, igId: '', subscriptionId: '' };
  for (const id of ['1', '2']) await plantPost(deps, owner, { id });
  const scope = scopeOf('w', workspaceId);
  const { epoch } = await deps.database.db
    .selectFrom('sync_epoch')
    .select('epoch')
    .executeTakeFirstOrThrow();
  const held = new Map<string, unknown>();
  let cursor = 0;
  const read = async (): Promise<void> => {
    const cursors = { [scope]: { v: cursor } };
    const asked = { epoch, clientId: accountId, cursors, session, schema: 1 };
    const text = await pull(
      { ...deps, projection: PROJECTION },
      async () => [{ scope, workspaceId }],
      asked,
    );
    const page = v.parse(PullAnswer, JSON.parse(text)).scopes[scope];
    cursor = page?.to ?? cursor;
    for (const [, id, , row] of page?.rows ?? []) held.set(id, row && totalOf(row));
  };
  await deps.database.transaction(async (tx) => {
    await like('1').execute(tx);
    await deps.database.db.transaction().execute(async (other) => {
      await like('2').execute(other);
      await sql`select from sync_flush()`.execute(other);
    });
    await read();
  });
  await read();
  return [held.get(`${accountId}/1`), held.get(`${accountId}/2`)];
}

const like = (id: string) => sql`update post set like_count = like_count + 1 where id = ${id}`;

test('what is written first and committed last comes to a replica that pulled in between', async () => {
  expect(await withDatabase(likesSeen)).toEqual([1, 1]);
});

test('with versions from a sequence it never comes', async () => {
  const seen = await withDatabase(async (deps) => {
    await plant(deps.database.db, 'versions of a sequence');
    return likesSeen(deps);
  });
  expect(seen).toEqual([0, 1]);
});

/** Whether somebody can commit a change of a workspace while another's is on its way. */
async function isInTheWay(deps: TestDeps): Promise<boolean> {
  const { session, accountId, igUsername } = await newShopper(deps, 'ada');
  const owner = { ...session, accountId, igUsername, igId: '', subscriptionId: '' };
  for (const id of ['1', '2']) await plantPost(deps, owner, { id });
  return deps.database.transaction(async (tx) => {
    await like('1').execute(tx);
    const other = deps.database.db.transaction().execute(async (second) => {
      await sql`set local lock_timeout = '200ms'`.execute(second);
      await like('2').execute(second);
      await sql`select from sync_flush()`.execute(second);
    });
    return other.then(
      () => false,
      () => true,
    );
  });
}

test('a transaction at work keeps nobody of its workspace from committing', async () => {
  expect(await withDatabase(isInTheWay)).toBe(false);
});

test('with heads raised first it does', async () => {
  const isBlocked = await withDatabase(async (deps) => {
    await plant(deps.database.db, 'heads first');
    return isInTheWay(deps);
  });
  expect(isBlocked).toBe(true);
});
