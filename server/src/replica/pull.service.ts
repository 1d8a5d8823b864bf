import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Cursor, PullRequest } from '#shared/sync/pull.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { noSession } from '#server/identity/users/no-session.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { projectLog } from './project-log.ts';
import type { ReplicaDeps } from './projection.ts';
import { behindVersion, readPlace, writePlace } from './pull-place.ts';
import type { ScopeOwner, ScopesOf } from './scope-owner.ts';
import { seeClient } from './sync-client.repository.ts';
import { type Head, readEpoch, readHeads, readLog } from './sync-log.repository.ts';

type PullDeps = Pick<Deps, 'clock' | 'log'> & ReplicaDeps;

/** Read at once; a page may take several of them. */
const BATCH_ROWS = 250;

/** What a page may still hold, over all its scopes. */
interface Room {
  rows: number;
  bytes: number;
}

/**
 * What happened in the session's scopes behind the cursors, as JSON text of a `PullAnswer`.
 * @throws ApiError `session_ended` when the person is gone, `invalid_input`
 */
export async function pull(
  deps: PullDeps,
  scopesOf: ScopesOf,
  request: PullRequest & { session: Session; schema: number },
): Promise<string> {
  const { session, cursors, schema } = request;
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const { workspaceId, userId } = session;
  const client = { workspaceId, userId, clientId: request.clientId };
  const lastMid = await seeClient(db, client, { schema, now });
  if (lastMid === undefined) throw noSession('account_deleted');
  const owners = await scopesOf(session);
  const epoch = await readEpoch(db);
  const heads = await readHeads(db, owners);
  const sorted = sortCursors(deps, request, {
    owners,
    heads,
    isSameEpoch: request.epoch === epoch,
  });
  const room: Room = { rows: SYNC_LIMITS.pullRows, bytes: SYNC_LIMITS.pullBytes };
  const pages = new Map<Scope, string>();
  for (const { owner, cursor, head } of sorted.read) {
    pages.set(owner.scope, await readPage(deps, owner, { cursor, head, room, schema }));
  }
  for (const scope of await collectedMeanwhile(deps, sorted.read)) {
    pages.delete(scope);
    sorted.resync.push(scope);
  }
  const scopes = Array.from(pages, ([scope, page]) => `${JSON.stringify(scope)}:${page}`);
  const rest = JSON.stringify({
    epoch,
    sessionId: session.sessionId,
    userId: session.memberId,
    at: now.toISOString(),
    drop: Object.keys(cursors).filter((scope) => !owners.some((owner) => owner.scope === scope)),
    new: owners.map(({ scope }) => scope).filter((scope) => cursors[scope] === undefined),
    resync: sorted.resync,
    lastMid,
  });
  return `${rest.slice(0, -1)},"scopes":{${scopes.join(',')}}}`;
}

interface ScopeStatus {
  owners: readonly ScopeOwner[];
  heads: ReadonlyMap<Scope, Head>;
  isSameEpoch: boolean;
}

interface Readable {
  owner: ScopeOwner;
  cursor: Cursor;
  head: Head;
}

/** Which cursors can be read on from, and which can't. */
function sortCursors(
  { log }: PullDeps,
  { cursors }: PullRequest,
  { owners, heads, isSameEpoch }: ScopeStatus,
): { read: Readable[]; resync: Scope[] } {
  const read: Readable[] = [];
  const resync: Scope[] = [];
  for (const owner of owners) {
    const { scope } = owner;
    const [cursor, head] = [cursors[scope], heads.get(scope)];
    if (!cursor || !head) continue;
    // Behind a cursor tombstones may be gone; before it, in a database put back, versions were given twice.
    if (isSameEpoch && cursor.v >= head.gcV && cursor.v <= head.v) {
      read.push({ owner, cursor, head });
      continue;
    }
    if (isSameEpoch && cursor.v > head.v)
      log.warn('sync cursor beyond its head', { reason: scope });
    resync.push(scope);
  }
  return { read, resync };
}

/** Scopes whose old tombstones went while their pages were read: something gone may be missing there. */
async function collectedMeanwhile(
  { database: { db } }: PullDeps,
  read: readonly Readable[],
): Promise<Scope[]> {
  const late = read.filter(({ cursor, head }) => cursor.v < head.v);
  if (late.length === 0) return [];
  const heads = await readHeads(
    db,
    late.map(({ owner }) => owner),
  );
  return late
    .filter(({ owner: { scope }, cursor }) => (heads.get(scope)?.gcV ?? 0) > cursor.v)
    .map(({ owner }) => owner.scope);
}

async function readPage(
  deps: PullDeps,
  owner: ScopeOwner,
  from: { cursor: Cursor; head: Head; room: Room; schema: number },
): Promise<string> {
  const { cursor, head, room, schema } = from;
  const place = cursor.next === undefined ? undefined : readPlace(cursor.next);
  if (cursor.next !== undefined && !place) {
    throw new ApiError(
      'invalid_input',
      'This cursor isn’t one of ours. Please start again without it.',
    );
  }
  const to = Math.min(place?.to ?? head.v, head.v);
  const texts: string[] = [];
  let behind = place ?? behindVersion(cursor.v);
  let isAtEnd = to <= cursor.v;
  while (!isAtEnd && room.rows > 0 && room.bytes > 0) {
    const limit = Math.min(BATCH_ROWS, room.rows);
    const lines = await readLog(deps.database.db, owner, { behind, to, limit });
    for (const [at, text] of (await projectLog(deps, owner, lines, schema)).entries()) {
      const bytes = Buffer.byteLength(text);
      // At least one row, or a page could stand still before a row that is too large.
      if (bytes > room.bytes && texts.length > 0) {
        room.bytes = 0;
        break;
      }
      texts.push(text);
      room.bytes -= bytes;
      room.rows -= 1;
      behind = lines[at] ?? behind;
    }
    isAtEnd = room.bytes > 0 && lines.length < limit;
  }
  const next = isAtEnd ? null : writePlace({ ...behind, to });
  return `{"from":${cursor.v},"to":${to},"next":${JSON.stringify(next)},"rows":[${texts.join(',')}]}`;
}
