import { once } from 'node:events';
import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import type { Shopper } from '../checkout-fixture.ts';
import { allEnded, countChange, likePost, type LogPlay } from './log-play.ts';

/** What writers and readers would otherwise meet by chance only; `post` is the first of four of nobody else's. */
export async function arrangeMeetings(
  play: LogPlay,
  options: { post: number; readers: number; signal: AbortSignal },
): Promise<void> {
  await overtake(play, options);
  await crossWays(play, options);
}

/** A writer is overtaken by another one's commit, and readers pull before it commits itself. */
async function overtake(
  play: LogPlay,
  { post, readers, signal }: { post: number; readers: number; signal: AbortSignal },
): Promise<void> {
  const { database } = play.deps;
  const [shopper] = play.shoppers;
  if (!shopper) return;
  const others: Array<Promise<void>> = [];
  try {
    await countChange(play, [shopper], (begin) =>
      database.transaction(async (tx) => {
        begin();
        await likePost(tx, shopper, { post, value: 1 });
        const other = countChange(play, [shopper], () =>
          likePost(database.db, shopper, { post: post + 1, value: 1 }),
        );
        others.push(other);
        await waitOrEnd(database.db, [other]);
        await Promise.all(
          Array.from({ length: readers }, async (_, reader) => {
            // The first of them may have been read before.
            for (let pulls = 0; pulls < 2; pulls += 1) {
              await once(play.pulls, String(reader), { signal });
            }
          }),
        );
      }),
    );
  } finally {
    await allEnded(others);
  }
}

/**
 * Two writers touch the same two scopes in opposite orders. A third lets neither come to its second one
 * before the other has its first, where scopes are held in the order in which they are touched.
 */
async function crossWays(play: LogPlay, { post }: { post: number }): Promise<void> {
  const { database } = play.deps;
  const [first, second, ...gates] = play.shoppers;
  if (!first || !second) return;
  const through = (nr: number, ways: ReadonlyArray<Shopper | undefined>): Promise<void> => {
    const shoppers = ways.filter((shopper) => shopper !== undefined);
    return countChange(play, shoppers, (begin) =>
      database.transaction(async (tx) => {
        begin();
        for (const shopper of shoppers) await likePost(tx, shopper, { post: post + nr, value: 2 });
      }),
    );
  };
  let crossing: Array<Promise<void>> = [];
  try {
    await countChange(play, gates, () =>
      database.db.transaction().execute(async (gate) => {
        for (const shopper of gates) await likePost(gate, shopper, { post, value: 2 });
        await sql`select from sync_flush()`.execute(gate);
        crossing = [through(2, [first, gates[0], second]), through(3, [second, gates[1], first])];
        await waitOrEnd(database.db, crossing);
      }),
    );
  } finally {
    await allEnded(crossing);
  }
}

/** Until each of these changes has come to its end or waits for a lock; nobody else may be at work. */
async function waitOrEnd(db: Db, changes: ReadonlyArray<Promise<void>>): Promise<void> {
  let ended = 0;
  const end = (): void => {
    ended += 1;
  };
  for (const change of changes) void change.then(end, end);
  for (let waiting = 0; ended + waiting < changes.length;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    waiting = rows.length;
  }
}
