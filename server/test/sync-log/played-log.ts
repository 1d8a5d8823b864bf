import { sql } from 'kysely';
import * as v from 'valibot';
import type { Database, Db, Tx } from '#server/db/database.ts';
import { pull } from '#server/features/sync/pull.service.ts';
import type { ScopeOwner } from '#server/features/sync/scope-owner.ts';
import type { Session } from '#server/features/users/session.service.ts';
import { type Cursor, PullAnswer } from '#shared/sync/pull.ts';
import { type Scope, scopeOf } from '#shared/sync/scope.ts';
import { newShopper, type Shopper } from '../checkout-fixture.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDeps } from '../test-deps.ts';

const WORKSPACES = 4;
/** So many that few are written twice: a later change would bring what was missed. */
const POSTS_OF_EACH = 40;

export interface PlayedLog {
  /** Rows that a reader's copy has otherwise than the database, once all is quiet. */
  missed: string[];
  /** Times that a transaction had to be begun again. */
  deadlocks: number;
  /** Scopes whose head isn't exactly as many versions on as transactions have changed them. */
  uncounted: string[];
  /** Pages that went back, or brought a version outside their range. */
  disorder: string[];
  /** Changes that were committed, and pages that brought any. */
  commits: number;
  pages: number;
}

interface Play {
  deps: TestDeps;
  shoppers: readonly Shopper[];
  random: () => number;
  /** Transactions that changed a scope. */
  changed: Map<string, number>;
  played: PlayedLog;
}

class OnPurpose extends Error {}

/**
 * Writers that commit, give up, undo a part and take their time, over four workspaces, while readers pull
 * without a pause. Each writer has posts of its own, so that nothing but the log makes one wait for another.
 */
export async function playLog(
  deps: TestDeps,
  options: { seed: number; writers: number; transactions: number; readers: number },
): Promise<PlayedLog> {
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
  const play: Play = { deps, shoppers, random, changed: new Map(), played };
  const before = await readHeads(deps.database.db);
  const quiet = new AbortController();
  const readers = Array.from({ length: options.readers }, () => readUntil(play, quiet.signal));
  await Promise.all(
    Array.from({ length: options.writers }, async (_, writer) => {
      for (let nr = 0; nr < options.transactions; nr += 1) await write(play, writer, nr);
    }),
  );
  quiet.abort();
  await Promise.all(readers);
  const after = await readHeads(deps.database.db);
  for (const [scope, count] of play.changed) {
    const raised = (after.get(scope) ?? 0) - (before.get(scope) ?? 0);
    if (raised !== count) played.uncounted.push(`${scope}: ${count} changes, ${raised} versions`);
  }
  return played;
}

async function readHeads(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ scope: string; v: number }>`
    select scope, v::bigint from sync_head`.execute(db);
  return new Map(rows.map(({ scope, v: version }) => [scope, version]));
}

async function write(play: Play, writer: number, nr: number): Promise<void> {
  const { deps, random, played } = play;
  const some = shuffled(play.shoppers, random).slice(0, 1 + Math.floor(random() * 3));
  // Never a value that is there already: that would be no change.
  const value = (writer + 1) * 1_000_000 + nr * 100;
  const isAlone = random() < 0.15;
  const givesUp = random() < 0.1;
  let tries = 0;
  try {
    if (isAlone)
      await likePost(deps.database.db, some[0], { post: writer * POSTS_OF_EACH + nr, value });
    else {
      await deps.database.transaction(async (tx) => {
        tries += 1;
        await changeAndUndo(tx, play, { writer, value });
        await change(tx, some, { writer, value, random });
        if (givesUp) throw new OnPurpose();
      });
    }
    played.commits += 1;
    for (const { session } of isAlone ? some.slice(0, 1) : some) {
      const scope = scopeOf('w', session.workspaceId);
      play.changed.set(scope, (play.changed.get(scope) ?? 0) + 1);
    }
  } catch (error) {
    // A deadlock that was tried again in vain counts below.
    if (!(error instanceof OnPurpose) && tries < 3) throw error;
  }
  played.deadlocks += Math.max(0, tries - 1);
}

/** Changes some of the writer's posts in each workspace, slowly; now and then one goes or comes. */
async function change(
  db: Db,
  shoppers: readonly Shopper[],
  { writer, value, random }: { writer: number; value: number; random: () => number },
): Promise<void> {
  for (const [at, shopper] of shoppers.entries()) {
    const post = writer * POSTS_OF_EACH + Math.floor(random() * POSTS_OF_EACH);
    await likePost(db, shopper, { post, value: value + at });
    if (random() < 0.5) await sql`select pg_sleep(${random() * 0.003})`.execute(db);
    if (random() >= 0.1) continue;
    await db
      .deleteFrom('post')
      .where('workspace_id', '=', shopper.session.workspaceId)
      .where('id', '=', String(post))
      .execute();
  }
}

/** One statement, which makes the post again if it has gone. */
async function likePost(
  db: Db,
  shopper: Shopper | undefined,
  { post, value }: { post: number; value: number },
): Promise<void> {
  if (!shopper) return;
  const { session, accountId } = shopper;
  await sql`
    insert into post (workspace_id, account_id, id, shortcode, media_type, caption, permalink,
      taken_at, like_count, comment_count, detected_at, missing_looks, automatic_outcome)
    select ${session.workspaceId}, ${accountId}, ${String(post)}, ${`C${post}`}, 'IMAGE', '', '',
      '2026-11-20', ${value}::integer, 0, '2026-11-20', 0, 'ordered'
    on conflict (workspace_id, account_id, id) do update set like_count = excluded.like_count
  `.execute(db);
}

async function changeAndUndo(
  tx: Tx,
  { shoppers, random }: Play,
  { writer, value }: { writer: number; value: number },
): Promise<void> {
  if (random() < 0.8) return;
  await sql`savepoint undone`.execute(tx);
  await change(tx, shuffled(shoppers, random).slice(0, 2), { writer, value: value + 50, random });
  await sql`rollback to savepoint undone`.execute(tx);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** A copy that only ever pulls; afterwards it is held against the database. */
async function readUntil(play: Play, quiet: AbortSignal): Promise<void> {
  const { deps, shoppers, played } = play;
  const [first] = shoppers;
  if (!first) return;
  const owners = shoppers.map(({ session: { workspaceId } }): ScopeOwner => {
    return { scope: scopeOf('w', workspaceId), workspaceId };
  });
  const cursors = new Map<Scope, Cursor>(owners.map(({ scope }) => [scope, { v: 0 }]));
  const held = new Map<string, string>();
  const clientId = deps.ids.uuid();
  for (let rounds = 0; ;) {
    // One more after the end: what was written before it must come.
    if (quiet.aborted) rounds += 1;
    const answer = await pullOnce(deps, first.session, owners, { clientId, cursors });
    const isMore = keep(answer, cursors, held, played);
    if (rounds > 0 && !isMore) break;
  }
  const truth = await readTruth(deps.database);
  for (const key of new Set([...truth.keys(), ...held.keys()])) {
    if (truth.get(key) !== held.get(key)) {
      played.missed.push(`${key}: ${held.get(key) ?? 'none'} for ${truth.get(key) ?? 'none'}`);
    }
  }
}

async function pullOnce(
  deps: TestDeps,
  session: Session,
  owners: ScopeOwner[],
  { clientId, cursors }: { clientId: string; cursors: ReadonlyMap<Scope, Cursor> },
): Promise<PullAnswer> {
  const { epoch } = await deps.database.db
    .selectFrom('sync_epoch')
    .select('epoch')
    .executeTakeFirstOrThrow();
  const request = { epoch, clientId, cursors: Object.fromEntries(cursors), session, schema: 1 };
  const text = await pull(deps, async () => owners, request);
  return v.parse(PullAnswer, JSON.parse(text));
}

/** Takes over a page; true when there may be more. */
function keep(
  answer: PullAnswer,
  cursors: Map<Scope, Cursor>,
  held: Map<string, string>,
  played: PlayedLog,
): boolean {
  let isMore = false;
  for (const [scope, page] of Object.entries(answer.scopes) as Array<
    [Scope, PullAnswer['scopes'][Scope]]
  >) {
    if (!page) continue;
    const { from, to, next, rows } = page;
    if (to < from) played.disorder.push(`${scope} went from ${from} to ${to}`);
    if (rows.length > 0) played.pages += 1;
    for (const [entity, id, version, row] of rows) {
      if (version <= from || version > to) {
        played.disorder.push(`${scope} ${id} at ${version} between ${from} and ${to}`);
      }
      if (entity !== 'post') continue;
      if (row) held.set(`${scope}/${id}`, String(row['organicLikes']));
      else held.delete(`${scope}/${id}`);
    }
    cursors.set(scope, next === null ? { v: to } : { v: from, next });
    isMore ||= next !== null;
  }
  return isMore;
}

async function readTruth({ db }: Database): Promise<Map<string, string>> {
  const posts = await db
    .selectFrom('post')
    .select(['workspace_id', 'account_id', 'id', 'like_count'])
    .execute();
  return new Map(
    posts.map(({ workspace_id: workspaceId, account_id: accountId, id, like_count: likes }) => [
      `${scopeOf('w', workspaceId)}/${accountId}/${id}`,
      String(likes),
    ]),
  );
}
