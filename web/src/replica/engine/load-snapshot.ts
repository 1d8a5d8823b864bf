import { type EntityName } from '#shared/sync/entities.ts';
import type { SnapshotChunk } from '#shared/sync/snapshot.ts';
import { scopeKind, type Scope } from '#shared/contract/scope.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { SCOPE_ENTITIES } from '#shared/sync/scope-entities.ts';
import { type Chunk, type Place, placePrefix, packRows } from '../store/chunk.ts';
import { dropSettled } from '../outbox/keep-results.ts';
import { dropHeldAnswer } from '../store/answered.ts';
import {
  findRowLimit,
  findScope,
  olderPrefix,
  putCursor,
  putScope,
  type ScopeLoading,
  type ScopeState,
} from '../store/scope-state.ts';
import type { StoreWriter } from '../store/sync-store.ts';
import { gatherLines } from './gather-lines.ts';
import { dropPreview, keepPreview } from './load-preview.ts';
import {
  type Fetched,
  type SnapshotLine,
  type SnapshotParameters,
  DONE,
  type Blocked,
  type SyncWork,
  type Worked,
} from '../network/sync-network.ts';

/** A replica that would be read anew all the time is worse than one that is known to be old. */
const RESYNC_AT_MOST_EVERY_MS = 10 * MINUTE_MS;

/** How long until a scope may be read anew; a first or half-done reading always may. */
async function untilResyncMs(tx: StoreWriter, scope: string, nowMs: number): Promise<number> {
  const state = await findScope(tx, scope);
  if (!state || state.loading) return 0;
  const key = `resynced:${scope}`;
  const last = Number((await tx.getMeta(key)) ?? -Infinity);
  const sinceMs = nowMs - last;
  // A clock that was set back must not hold the scope for days.
  if (sinceMs >= 0 && sinceMs < RESYNC_AT_MOST_EVERY_MS) return RESYNC_AT_MOST_EVERY_MS - sinceMs;
  await tx.putMeta(key, nowMs);
  return 0;
}

/**
 * Reads a scope whole, as the first generation or beside the one that is shown, and swaps when it is
 * complete. It goes on where it broke off; what changes meanwhile follows by pull from its version.
 * `blocked`: it was read anew a short while ago, and what is held stays.
 */
export async function loadSnapshot(
  work: SyncWork,
  scope: string,
  epoch: string,
  signal: AbortSignal,
): Promise<Worked | Blocked> {
  for (let isAgain = false; ; isAgain = true) {
    const begun = await work.store.write(async (tx) => {
      const forMs = isAgain ? 0 : await untilResyncMs(tx, scope, work.now());
      if (forMs > 0) return forMs;
      return { state: await beginLoading(tx, scope, epoch), limit: await findRowLimit(tx) };
    });
    if (typeof begun === 'number') return { kind: 'blocked', forMs: begun };
    const { state, limit } = begun;
    const answered = await work.network.snapshot(parametersOf(state, limit), signal);
    const read = await readSnapshot(work, state, answered, signal);
    if (read.kind !== 'gone') return read;
    // Its version is too old to pull from: what was read of it is no use.
    const hadBegun = state.loading.v !== null;
    await work.store.write((tx) => abandonLoading(tx, scope));
    if (!hadBegun) return { kind: 'unreachable' };
  }
}

type LoadingScope = ScopeState & { loading: ScopeLoading };

async function beginLoading(tx: StoreWriter, scope: string, epoch: string): Promise<LoadingScope> {
  const state = await findScope(tx, scope);
  const { loading = null } = state ?? {};
  if (state && loading?.epoch === epoch) return { ...state, loading };
  if (loading) await deleteGeneration(tx, scope, loading.generation);
  if (state?.preview) await dropPreview(tx, scope);
  const generation = Math.max(state?.generation ?? 0, loading?.generation ?? 0) + 1;
  const isShown = state && state.complete.length > 0 && !isFirst(state);
  const begun: LoadingScope = {
    scope,
    // The first snapshot is shown while it comes in; a later one only when it is whole.
    generation: isShown ? state.generation : generation,
    complete: isShown ? state.complete : [],
    loading: { generation, epoch, v: null, done: [], part: null },
  };
  await putScope(tx, begun);
  return begun;
}

/** Whether what comes in is shown as it comes. */
export const isFirst = ({ generation, loading }: ScopeState): boolean =>
  generation === loading?.generation;

/** What was read of a snapshot that isn't whole goes; it begins anew. */
export async function abandonLoading(tx: StoreWriter, scope: string): Promise<void> {
  const state = await findScope(tx, scope);
  if (!state?.loading) return;
  await deleteGeneration(tx, scope, state.loading.generation);
  if (state.preview) await dropPreview(tx, scope);
  const { preview: _, ...rest } = state;
  await putScope(tx, {
    ...rest,
    complete: isFirst(state) ? [] : rest.complete,
    loading: { ...state.loading, v: null, done: [], part: null, more: {} },
  });
}

async function deleteGeneration(tx: StoreWriter, scope: string, generation: number): Promise<void> {
  for (const entity of entitiesOf(scope)) {
    await tx.deleteChunksFrom(placePrefix({ scope, entity, generation }));
  }
}

// A scope comes from the server's answer, which was checked for its form.
const entitiesOf = (scope: string): readonly EntityName[] =>
  SCOPE_ENTITIES[scopeKind(scope as Scope)];

function parametersOf({ scope, loading }: LoadingScope, limit: number): SnapshotParameters {
  const asked = { scope, limit };
  if (loading.v === null) return asked;
  const entities = entitiesOf(scope).filter((entity) => !loading.done.includes(entity));
  const { part } = loading;
  return part
    ? { ...asked, v: loading.v, entities, after: part.after }
    : { ...asked, v: loading.v, entities };
}

async function readSnapshot(
  work: SyncWork,
  { scope, loading: { epoch } }: LoadingScope,
  answered: Fetched<AsyncIterable<SnapshotLine[]>>,
  signal: AbortSignal,
): Promise<Worked> {
  if (answered.kind !== 'ok') return answered;
  for await (const lines of gatherLines(answered.value)) {
    const head = lines.find((line) => line.kind === 'head');
    // The database was replaced meanwhile: the next pull says so.
    if (head && head.epoch !== epoch) return { kind: 'unreachable' };
    await work.store.write((tx) => keepLines(tx, scope, lines));
    if (lines.some((line) => line.kind === 'end')) return DONE;
  }
  signal.throwIfAborted();
  return { kind: 'unreachable' };
}

/** Rows and how far the snapshot has come, in one transaction. */
async function keepLines(
  tx: StoreWriter,
  scope: string,
  lines: readonly SnapshotLine[],
): Promise<void> {
  const state = await findScope(tx, scope);
  if (!state?.loading) return;
  let { loading } = state;
  const limit = await findRowLimit(tx);
  const chunks: Chunk[] = [];
  for (const line of lines) {
    if (line.kind === 'head') loading = { ...loading, v: loading.v ?? line.v };
    else if (line.kind === 'end')
      loading = ended(loading, line.more, { entities: entitiesOf(scope), limit });
    else {
      loading = advanced(loading, line, { entities: entitiesOf(scope), limit });
      chunks.push(
        ...chunksOf({ scope, entity: line.entity, generation: loading.generation }, line),
      );
    }
  }
  if (chunks.length > 0) await tx.putChunks(chunks);
  if (lines.some((line) => line.kind === 'end')) return swap(tx, { ...state, loading });
  const complete = isFirst(state) ? loading.done : state.complete;
  await putScope(tx, { ...state, complete, loading });
}

const chunksOf = (place: Place, { rows }: SnapshotChunk): Chunk[] =>
  packRows(
    place,
    rows.map(([id, v, row]) => ({ id, v, row })),
  );

/** What a snapshot was asked for. */
interface Asked {
  entities: readonly EntityName[];
  limit: number;
}

/** The entities before the one that now comes are whole, or have come as far as was asked for. */
function advanced(
  loading: ScopeLoading,
  { entity, after, rows }: SnapshotChunk,
  { entities, limit }: Asked,
): ScopeLoading {
  const isNext = loading.part?.entity !== entity;
  const count = (isNext ? 0 : (loading.part?.count ?? 0)) + rows.length;
  const done = entities.slice(0, entities.indexOf(entity));
  const more = isNext ? moreOf(loading, limit) : (loading.more ?? {});
  return { ...loading, done, more, part: { entity, after, count } };
}

function ended(
  loading: ScopeLoading,
  more: Readonly<Record<string, string>>,
  { entities, limit }: Asked,
): ScopeLoading {
  const known = { ...moreOf(loading, limit), ...more };
  return { ...loading, done: [...entities], more: known, part: null };
}

/** The end of an answer says what has more rows; of an answer that was cut only the count tells. */
function moreOf({ more = {}, part }: ScopeLoading, limit: number): Record<string, string> {
  const isCut = part !== null && (part.count ?? 0) >= limit;
  return isCut ? { ...more, [part.entity]: part.after } : more;
}

async function swap(tx: StoreWriter, state: LoadingScope): Promise<void> {
  const { scope, generation, loading, preview } = state;
  if (generation !== loading.generation) await deleteGeneration(tx, scope, generation);
  const whole: ScopeState = {
    scope,
    generation: loading.generation,
    complete: loading.done,
    more: loading.more ?? {},
    loading: null,
  };
  await putScope(tx, whole);
  for (const [key] of await tx.listMeta(olderPrefix(scope))) await tx.deleteMeta(key);
  if (preview) await keepPreview(tx, { ...whole, preview });
  await putCursor(tx, scope, loading.v ?? 0);
  await dropSettled(tx);
  await dropHeldAnswer(tx);
}
