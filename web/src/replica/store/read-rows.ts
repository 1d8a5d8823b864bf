import { changeTags } from '#shared/domain/accounts/account-tags.ts';
import type { EntityName, EntityRow } from '#shared/sync/entities.ts';
import {
  type Chunk,
  type ChunkRow,
  idKey,
  placePrefix,
  postIdPrefix,
  type Row,
  spanOf,
  rowsOf,
} from './chunk.ts';
import { instantOf, newestFirst, shapeOf, type TimedRow } from './entity-shape.ts';
import type { Patch, StoreReader } from './sync-store.ts';
import { listShown, placesOf } from './scope-state.ts';

/** A part of the rows, newest first. */
interface RowWindow {
  /** Only rows found by this (`EntityShape.keysOf`). */
  foundBy?: string;
  /** At most so many. */
  limit?: number | undefined;
  /** Only rows older than this instant. */
  before?: string | undefined;
  /** Only rows of this instant or newer. */
  from?: string | undefined;
}

/** A row with its version; one that the server is still to make has none. */
interface FoundRow extends TimedRow {
  v: number;
}

/** Chunks read at a time while a window isn't full yet. */
const CHUNK_BATCH = 4;

/** The rows of an entity over all scopes with what is pending, newest first, each once. */
export async function listRows(
  store: StoreReader,
  entity: string,
  window: RowWindow = {},
): Promise<Row[]> {
  const limit = window.limit ?? Infinity;
  const patches = patchesById(await store.listPatches(entity));
  const keys = await keysInWindow(store, entity, window);
  const found = pendingRows(entity, window, patches);
  const step = limit === Infinity ? keys.length : CHUNK_BATCH;
  for (let next = 0; next < keys.length; next += step) {
    // What lies above the next chunk's newest row can't be pushed down by anything unread.
    const ahead = keys[next];
    const ceilingMs = ahead === undefined ? -Infinity : spanOf(ahead).newestMs;
    if (countAbove(found, ceilingMs, limit) >= limit) break;
    for (const chunk of await store.getChunks(keys.slice(next, next + step))) {
      collect(found, entity, window, chunk, patches);
    }
  }
  const rows = [...found.values()].sort(newestFirst);
  return rows.slice(0, limit === Infinity ? undefined : limit).map(({ row }) => row);
}

/** The rows of an entity, newest first where they have an order. */
export async function listRowsOf<Entity extends EntityName>(
  store: StoreReader,
  entity: Entity,
  window: RowWindow = {},
): Promise<EntityRow<Entity>[]> {
  return rowsAs<Entity>(await listRows(store, entity, window));
}

/** All rows of an entity; undefined when they were never read. */
export async function listWhole<Entity extends EntityName>(
  store: StoreReader,
  entity: Entity,
): Promise<EntityRow<Entity>[] | undefined> {
  const rows = await listRowsOf(store, entity);
  return rows.length > 0 || (await isComplete(store, entity)) ? rows : undefined;
}

/** Rows are trusted (`WireRow`). */
export function rowsAs<Entity extends EntityName>(rows: Row[]): EntityRow<Entity>[] {
  return rows as unknown[] as EntityRow<Entity>[];
}

/** One row with what is pending for it. */
export async function findRow(
  store: StoreReader,
  entity: string,
  id: string,
): Promise<Row | undefined> {
  const keys = await store.chunkKeysOfIds([idKey(entity, id)]);
  const held = await heldRow(store, entity, keys, (each) => each === id);
  const patches = (await store.listPatches(entity)).filter((patch) => patch.id === id);
  return patched(held?.row, patches);
}

/** The same as what it is; rows are trusted (`WireRow`). */
export async function findRowOf<Entity extends EntityName>(
  store: StoreReader,
  entity: Entity,
  id: string,
): Promise<EntityRow<Entity> | undefined> {
  const row = await findRow(store, entity, id);
  return row && rowsAs<Entity>([row])[0];
}

/** Rows by their ids, each that is there. */
export async function findRowsOf<Entity extends EntityName>(
  store: StoreReader,
  entity: Entity,
  ids: readonly string[],
): Promise<Map<string, EntityRow<Entity>>> {
  const wanted = new Set(ids);
  const prefixes = await shownPrefixes(store, entity);
  const keys = await store.chunkKeysOfIds([...wanted].map((id) => idKey(entity, id)));
  const chunks = await store.getChunks(
    keys.filter((k) => prefixes.some((prefix) => k.startsWith(prefix))),
  );
  const newest = new Map<string, ChunkRow>();
  for (const held of chunks.flatMap((chunk) => rowsOf(entity, chunk))) {
    // A preview and the snapshot behind it may both hold a row.
    const isNewer = held.v >= (newest.get(held.id)?.v ?? -1);
    if (wanted.has(held.id) && isNewer) newest.set(held.id, held);
  }
  const patches = patchesById(await store.listPatches(entity));
  const rows = Array.from(newest.values(), ({ id, row }): [string, EntityRow<Entity>] => [
    id,
    rowsAs<Entity>([patched(row, patches.get(id) ?? []) ?? row])[0] as EntityRow<Entity>,
  ]);
  return new Map(rows);
}

/** Whose replica it is; undefined until that was read. */
export async function findUserRow(store: StoreReader): Promise<EntityRow<'user'> | undefined> {
  return (await listRowsOf(store, 'user'))[0];
}

/** A post by the network's id, whichever account it belongs to. */
export async function findPostRow(store: StoreReader, postId: string): Promise<Row | undefined> {
  const keys = await store.chunkKeysOfIdPrefix(postIdPrefix(postId));
  const held = await heldRow(store, 'post', keys, (id) => id.endsWith(`/${postId}`));
  if (!held) return undefined;
  const patches = (await store.listPatches('post')).filter((patch) => patch.id === held.id);
  return patched(held.row, patches);
}

async function heldRow(
  store: StoreReader,
  entity: string,
  keys: readonly string[],
  isWanted: (id: string) => boolean,
): Promise<ChunkRow | undefined> {
  const prefixes = await shownPrefixes(store, entity);
  const shown = keys.filter((k) => prefixes.some((prefix) => k.startsWith(prefix)));
  const chunks = await store.getChunks(shown);
  const held = chunks.flatMap((chunk) => rowsOf(entity, chunk)).filter(({ id }) => isWanted(id));
  // A preview and the snapshot behind it may both hold a row.
  return held.reduce<ChunkRow | undefined>(
    (newest, row) => (newest && newest.v >= row.v ? newest : row),
    undefined,
  );
}

/** Whether a scope has this entity whole; the rows of an entity are all in scopes of one kind. */
export async function isComplete(store: StoreReader, entity: string): Promise<boolean> {
  return (await listShown(store)).some(({ complete }) => complete.includes(entity));
}

/** Whether any row is held, by the keys of the chunks alone. */
export async function hasRows(store: StoreReader, entity: string): Promise<boolean> {
  const prefixes = await shownPrefixes(store, entity);
  const keys = await Promise.all(prefixes.map((prefix) => store.chunkKeys(prefix)));
  return keys.some((held) => held.length > 0);
}

async function shownPrefixes(store: StoreReader, entity: string): Promise<string[]> {
  return placesOf(await listShown(store), entity).map(placePrefix);
}

/** Newest first; chunks that lie after the window are left out. */
async function keysInWindow(
  store: StoreReader,
  entity: string,
  { foundBy, before, from }: RowWindow,
): Promise<string[]> {
  const prefixes = await shownPrefixes(store, entity);
  const keys = foundBy
    ? (await store.chunkKeysFoundBy(foundBy)).filter((k) =>
        prefixes.some((prefix) => k.startsWith(prefix)),
      )
    : (await Promise.all(prefixes.map((prefix) => store.chunkKeys(prefix)))).flat();
  const beforeMs = before === undefined ? Infinity : Date.parse(before);
  const fromMs = from === undefined ? -Infinity : Date.parse(from);
  const spans = new Map(keys.map((k) => [k, spanOf(k)]));
  const newestOf = (k: string): number => spans.get(k)?.newestMs ?? Infinity;
  return keys
    .filter((k) => (spans.get(k)?.oldestMs ?? -Infinity) < beforeMs && newestOf(k) >= fromMs)
    .sort((a, b) => (newestOf(a) === newestOf(b) ? 0 : newestOf(b) - newestOf(a)));
}

function countAbove(
  found: ReadonlyMap<string, TimedRow>,
  ceilingMs: number,
  limit: number,
): number {
  if (found.size < limit) return found.size;
  return [...found.values()].filter(({ atMs }) => atMs > ceilingMs).length;
}

function collect(
  found: Map<string, FoundRow>,
  entity: string,
  window: RowWindow,
  chunk: Chunk,
  patches: ReadonlyMap<string, Patch[]>,
): void {
  for (const held of rowsOf(entity, chunk)) {
    const { id, v } = held;
    // A preview and the snapshot behind it may both hold a row.
    if ((found.get(id)?.v ?? -1) > v) continue;
    const row = patched(held.row, patches.get(id) ?? []) ?? held.row;
    if (isInWindow(entity, window, row)) {
      found.set(id, { id, v, atMs: instantOf(shapeOf(entity), row), row });
    }
  }
}

function isInWindow(entity: string, { foundBy, before, from }: RowWindow, row: Row): boolean {
  const shape = shapeOf(entity);
  if (foundBy && !shape.keysOf(row).includes(foundBy)) return false;
  if (before !== undefined && instantOf(shape, row) >= Date.parse(before)) return false;
  return from === undefined || instantOf(shape, row) >= Date.parse(from);
}

/** The rows the server is still to make. Those it has made replace them. */
function pendingRows(
  entity: string,
  window: RowWindow,
  patches: ReadonlyMap<string, Patch[]>,
): Map<string, FoundRow> {
  const pending = new Map<string, FoundRow>();
  for (const [id, ofRow] of patches) {
    const row = patched(undefined, ofRow);
    if (row && isInWindow(entity, window, row)) {
      pending.set(id, { id, v: 0, atMs: instantOf(shapeOf(entity), row), row });
    }
  }
  return pending;
}

function patchesById(patches: readonly Patch[]): Map<string, Patch[]> {
  const byId = new Map<string, Patch[]>();
  for (const patch of patches) byId.set(patch.id, [...(byId.get(patch.id) ?? []), patch]);
  return byId;
}

/** A row as it will be when the server has accepted what is pending. */
export function patched(base: Row | undefined, patches: readonly Patch[]): Row | undefined {
  return patches.reduce<Row | undefined>((row, { change }) => {
    if (change.kind === 'insert') return row ?? change.row;
    if (!row) return row;
    switch (change.kind) {
      case 'set':
        return { ...row, ...change.fields };
      case 'add':
        return { ...row, ...added(row, change.fields) };
      case 'tags':
        return { ...row, tags: changeTags(tagsOf(row), change) };
      default:
        return change satisfies never;
    }
  }, base);
}

function tagsOf({ tags }: Row): string[] {
  return Array.isArray(tags) ? tags.map(String) : [];
}

function added(row: Row, fields: Record<string, number>): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, amount]) => {
      const before = row[name];
      if (typeof before !== 'number') return [name, before];
      return [name, Math.max(before + amount, Math.min(before, 0))];
    }),
  );
}
