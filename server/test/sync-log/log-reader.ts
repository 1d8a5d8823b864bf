import * as v from 'valibot';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import type { Database } from '#server/kit/db/database.ts';
import { pull } from '#server/replica/pull.service.ts';
import type { ScopeOwner } from '#server/replica/scope-owner.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { type Cursor, PullAnswer } from '#shared/sync/pull.ts';
import { type Scope, scopeOf } from '#shared/contract/scope.ts';
import type { TestDeps } from '../test-deps.ts';
import type { LogPlay, PlayedLog } from './log-play.ts';

/** A replica that only ever pulls; afterwards it is held against the database. */
export async function readUntil(play: LogPlay, reader: number, quiet: AbortSignal): Promise<void> {
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
    play.pulls.emit(String(reader));
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
  const text = await pull({ ...deps, projection: PROJECTION }, async () => owners, request);
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
      if (row) held.set(`${scope}/${id}`, String(totalOf(row)));
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

/** The likes of a post's row that everybody may see; another row has none. */
export function totalOf(row: Record<string, unknown>): unknown {
  return (row['edge_media_preview_like'] as { count: number | null } | undefined)?.count;
}
