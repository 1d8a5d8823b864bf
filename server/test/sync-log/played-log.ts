import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { newShopper, type Shopper } from '../checkout-fixture.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDeps } from '../test-deps.ts';
import { arrangeMeetings } from './arranged-meetings.ts';
import { allEnded, type LogPlay, type PlayedLog, POSTS_OF_EACH } from './log-play.ts';
import { readUntil } from './log-reader.ts';
import { write } from './log-writer.ts';

export const WORKSPACES = 4;

interface PlayOptions {
  seed: number;
  writers: number;
  /** Of each writer. */
  transactions: number;
  readers: number;
}

/**
 * Writers that commit, give up, undo a part and take their time, over four workspaces, while readers pull
 * without a pause. Each writer has posts of its own, so that nothing but the log makes one wait for another.
 */
export async function playLog(deps: TestDeps, options: PlayOptions): Promise<PlayedLog> {
  const shoppers: Shopper[] = [];
  for (let at = 0; at < WORKSPACES; at += 1) {
    shoppers.push(await newShopper(deps, `played.${at}`));
  }
  const random = seededRandom(options.seed);
  const played: PlayedLog = {
    missed: [],
    deadlocks: 0,
    uncounted: [],
    disorder: [],
    commits: 0,
    pages: 0,
  };
  const pulls = new EventEmitter<Record<string, []>>();
  const play: LogPlay = { deps, shoppers, random, changed: new Map(), pulls, played };
  const before = await readHeads(deps.database.db);
  await readAndWrite(play, options);
  const after = await readHeads(deps.database.db);
  for (const [scope, count] of play.changed) {
    const raised = (after.get(scope) ?? 0) - (before.get(scope) ?? 0);
    if (raised !== count) played.uncounted.push(`${scope}: ${count} changes, ${raised} versions`);
  }
  return played;
}

/** All have ended when this has, whatever went wrong. */
async function readAndWrite(play: LogPlay, options: PlayOptions): Promise<void> {
  const quiet = new AbortController();
  const { signal } = quiet;
  const readers = Array.from({ length: options.readers }, (_, reader) =>
    // The arranged meetings wait for readers.
    readUntil(play, reader, signal).finally(() => quiet.abort()),
  );
  const writeAll = async (): Promise<void> => {
    const post = options.writers * POSTS_OF_EACH;
    await arrangeMeetings(play, { post, readers: options.readers, signal });
    const writers = Array.from({ length: options.writers }, async (_, writer) => {
      for (let nr = 0; nr < options.transactions; nr += 1) await write(play, writer, nr);
    });
    await allEnded(writers);
  };
  await allEnded([...readers, writeAll().finally(() => quiet.abort())]);
}

async function readHeads(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ scope: string; v: number }>`
    select scope, v::bigint from sync_head`.execute(db);
  return new Map(rows.map(({ scope, v: version }) => [scope, version]));
}
