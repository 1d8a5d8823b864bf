import type { Versions } from '#shared/contract/scope.ts';
import type { Place } from './chunk.ts';
import type { StoreReader, StoreWriter } from './sync-store.ts';

/** What is kept of a scope: a set of rows one audience sees. */
export interface ShownScope {
  scope: string;
  /** The generation the screens read. */
  generation: number;
  /** The entities whose rows in that generation are complete. */
  complete: string[];
  /** The entities that have older rows than those held, with the key behind which they begin. */
  more?: Record<string, string>;
  /** One account with its newest rows, read before the first snapshot; see `load-preview.ts`. */
  preview?: {
    accountId: string;
    /** The key behind which its posts go on; null: there are no older ones. */
    after: string | null;
  };
}

export interface ScopeState extends ShownScope {
  /** A snapshot on its way, into a generation of its own unless it is the first. */
  loading: ScopeLoading | null;
}

export interface ScopeLoading {
  generation: number;
  /** The database the snapshot is of; another one starts it again. */
  epoch: string;
  /** The version up to which the snapshot is known to hold everything: the lowest of its parts. */
  v: number | null;
  done: string[];
  /** The part on its way, and the key after which it goes on. */
  part: { entity: string; after: string; count?: number } | null;
  more?: Record<string, string>;
}

/** What is shown hangs on what stands under keys that begin so: rows, or an answer ahead of them (`answered.ts`). */
export const SHOWN_BY = { scope: 'scope:', older: 'older:', answered: 'answered' } as const;
const SCOPE = SHOWN_BY.scope;
/** How far a snapshot has come: apart, because what only shows rows must not be woken by each batch. */
const LOADING = 'loading:';
const CURSOR = 'cursor:';

const EPOCH = 'epoch';

/** Which database the rows are of; undefined before its first answer. */
export async function findEpoch(store: StoreReader): Promise<string | undefined> {
  return (await store.getMeta(EPOCH)) as string | undefined;
}

export const keepEpoch = (tx: StoreWriter, epoch: string): Promise<void> =>
  tx.putMeta(EPOCH, epoch);

/** The scopes as far as rows are shown by them. */
export async function listShown(store: StoreReader): Promise<ShownScope[]> {
  const entries = await store.listMeta(SCOPE);
  return entries.map(([, value]) => value as ShownScope);
}

export async function listScopes(store: StoreReader): Promise<ScopeState[]> {
  const loading = new Map(await store.listMeta(LOADING));
  return (await listShown(store)).map((shown) => joined(shown, loading.get(LOADING + shown.scope)));
}

export async function findScope(
  store: StoreReader,
  scope: string,
): Promise<ScopeState | undefined> {
  const shown = (await store.getMeta(SCOPE + scope)) as ShownScope | undefined;
  return shown && joined(shown, await store.getMeta(LOADING + scope));
}

function joined(shown: ShownScope, loading: unknown): ScopeState {
  // Replicas of before hold both together.
  const before = 'loading' in shown ? (shown.loading as ScopeLoading | null) : null;
  return { ...shown, loading: (loading as ScopeLoading | null | undefined) ?? before };
}

export async function putScope(store: StoreWriter, state: ScopeState): Promise<void> {
  const { loading, ...shown } = state;
  const key = SCOPE + state.scope;
  const before = await store.getMeta(key);
  if (JSON.stringify(before) !== JSON.stringify(shown)) await store.putMeta(key, shown);
  if (loading) await store.putMeta(LOADING + state.scope, loading);
  else await store.deleteMeta(LOADING + state.scope);
}

/** How far back an account's older posts were fetched; see `older-posts.ts`. */
export const olderPrefix = (scope: string): string => `${SHOWN_BY.older}${scope}:`;

export const olderKey = (scope: string, accountId: string): string =>
  olderPrefix(scope) + accountId;

/** Where a preview stands; those of snapshots follow. */
export const PREVIEW_GENERATION = 0;
export const PREVIEWED = ['account', 'post', 'order'] as const;

/** The version up to which the scope's rows are here; undefined before its first snapshot ended. */
export async function findCursor(store: StoreReader, scope: string): Promise<number | undefined> {
  return (await store.getMeta(CURSOR + scope)) as number | undefined;
}

/** Whether every one of `versions` is reached, as `versionOf` says how far a scope is: undefined is not at all. */
export async function areReached(
  versions: Versions,
  versionOf: (scope: string) => Promise<number | undefined>,
): Promise<boolean> {
  for (const [scope, at = 0] of Object.entries(versions)) {
    const reached = await versionOf(scope);
    if (reached === undefined || reached < at) return false;
  }
  return true;
}

/** Kept apart from the scope's state, so that what only shows rows isn't woken by every change. */
export const putCursor = (store: StoreWriter, scope: string, v: number): Promise<void> =>
  store.putMeta(CURSOR + scope, v);

/** The scope's rows can't be followed any more: they are read anew, when that is due. */
export const deleteCursor = (store: StoreWriter, scope: string): Promise<void> =>
  store.deleteMeta(CURSOR + scope);

/** Whether every scope that is held can be followed, so that what is held is what is. */
export async function isFollowed(store: StoreReader): Promise<boolean> {
  const cursors = await listCursors(store);
  return (await listShown(store)).every(({ scope }) => cursors[scope] !== undefined);
}

export async function listCursors(store: StoreReader): Promise<Record<string, number>> {
  const entries = await store.listMeta(CURSOR);
  return Object.fromEntries(entries.map(([key, v]) => [key.slice(CURSOR.length), Number(v)]));
}

/** Removes a scope with everything of it. */
export async function deleteScope(store: StoreWriter, scope: string): Promise<void> {
  await store.deleteMeta(SCOPE + scope);
  await store.deleteMeta(LOADING + scope);
  await store.deleteMeta(CURSOR + scope);
  for (const [key] of await store.listMeta(olderPrefix(scope))) await store.deleteMeta(key);
  await store.deleteChunksFrom(`${scope}|`);
}

/** The places an entity is read from. */
export function placesOf(scopes: readonly ShownScope[], entity: string): Place[] {
  return scopes.flatMap(({ scope, generation, preview }) => {
    const isPreviewed = preview !== undefined && PREVIEWED.some((one) => one === entity);
    const generations = isPreviewed ? [generation, PREVIEW_GENERATION] : [generation];
    return generations.map((one) => ({ scope, entity, generation: one }));
  });
}

const ROW_LIMIT = 'row-limit';

/** Older rows of a larger workspace are fetched when somebody looks at them. */
export const ROW_LIMIT_USUAL = 30_000;
export const ROW_LIMIT_LEAST = 500;

/** How many rows of an entity a snapshot brings: fewer where the device has no more room. */
export async function findRowLimit(store: StoreReader): Promise<number> {
  const limit = await store.getMeta(ROW_LIMIT);
  return typeof limit === 'number' ? limit : ROW_LIMIT_USUAL;
}

export const keepRowLimit = (tx: StoreWriter, limit: number): Promise<void> =>
  tx.putMeta(ROW_LIMIT, limit);

const AS_OF = 'as-of';

/** The server's time up to which the replica is known to be whole, milliseconds; undefined: never was. */
export async function findAsOf(store: StoreReader): Promise<number | undefined> {
  return (await store.getMeta(AS_OF)) as number | undefined;
}

export const keepAsOf = (tx: StoreWriter, atMs: number): Promise<void> => tx.putMeta(AS_OF, atMs);

const CLOCK = 'clock';

/** What this device's own clock has said, milliseconds. */
export interface DeviceClock {
  /** When the server was heard last. */
  heardAt: number;
  /** The latest since then: a clock that shows less was set back. */
  latest: number;
}

export async function findClock(store: StoreReader): Promise<DeviceClock | undefined> {
  return (await store.getMeta(CLOCK)) as DeviceClock | undefined;
}

/** The server was heard: whatever the clock said before, time goes on from here. */
export const keepHeard = (tx: StoreWriter, now: number): Promise<void> =>
  tx.putMeta(CLOCK, { heardAt: now, latest: now } satisfies DeviceClock);

/** Time has passed without the server. */
export async function keepPassed(tx: StoreWriter, now: number): Promise<void> {
  const clock = await findClock(tx);
  if (clock && now > clock.latest) await tx.putMeta(CLOCK, { ...clock, latest: now });
}

const SESSION = 'session';

/** The session in which the last pull was asked. */
interface PulledSession {
  sessionId: string;
  userId: string;
}

export async function findSession(store: StoreReader): Promise<PulledSession | undefined> {
  return (await store.getMeta(SESSION)) as PulledSession | undefined;
}

export const putSession = (tx: StoreWriter, session: PulledSession): Promise<void> =>
  tx.putMeta(SESSION, session);
