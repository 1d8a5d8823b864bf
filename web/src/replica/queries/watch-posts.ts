import type { Post } from '#shared/contract/accounts/post.ts';
import { oneAtATime } from '#web/platform/async.ts';
import { createChunkCache, type Written } from '../store/chunk-cache.ts';
import { createDexieStore, type LocalDatabase } from '../store/local-database.ts';
import { accountKey, instantOf, shapeOf } from '../store/entity-shape.ts';
import { boundInstant, findOlderPosts, heldFrom } from '../queries/older-posts.ts';
import type { PostWindow } from './posts.ts';
import { isComplete, listRows, rowsAs } from '../store/read-rows.ts';
import type { StoreReader } from '../store/sync-store.ts';
import { createOrderReading, type NewestOrders, type OrderReading } from './watch-orders.ts';
import { type Chunk, entityOf, isMemtable, type Span, spanOf } from '../store/chunk.ts';

type OnPosts = (posts: readonly Post[] | undefined) => void;

interface Watched {
  window: PostWindow;
  onPosts: OnPosts;
  /** Whether it is to be read whatever was written. */
  isDue: boolean;
  /** What it was told last; undefined before the first time. */
  told: { posts: readonly Post[] | undefined } | undefined;
}

/** Watches windows of the posts of one account, or of all, which share what was read. */
export interface PostWatch {
  /** Calls back with the posts of a window now and whenever they change; returns how to stop. */
  watch: (window: PostWindow, onPosts: OnPosts) => () => void;
  /** The same with the newest orders of the account, or of all, none older than `fromMs`; one at a time. */
  watchOrders: (fromMs: number, onOrders: (newest: NewestOrders) => void) => () => void;
  stop: () => void;
}

/**
 * Keeps every chunk that was read until it changes, and reads only those windows again in whose time
 * something was written: a like that arrives makes one chunk and one window read, however many
 * thousand posts are on the screen.
 * @param igId of the account; undefined: of all
 */
export function createPostWatch(
  db: LocalDatabase,
  igId: string | undefined,
  report: (event: string, detail: unknown) => void,
): PostWatch {
  const chunks = createChunkCache(db);
  const foundBy = igId === undefined ? undefined : accountKey('post', igId);
  const written = createWrittenInstants('post', foundBy);
  const store = createDexieStore(db);
  const watched = new Set<Watched>();
  let orders: OrderReading | undefined;

  const kept = (tx: StoreReader): StoreReader => ({
    ...tx,
    getChunks: (keys) => chunks.get(tx, keys),
  });
  const readAll = async (): Promise<void> => {
    const { known, tellOrders } = await store.read(async (tx) => {
      const reader = onceEach(kept(tx));
      const instants = await written.take(reader);
      const due = [...watched].filter((one) => one.isDue || touches(one.window, instants));
      const known = await readDue(reader, igId, due);
      return { known, tellOrders: await orders?.take(reader) };
    });
    // In one go, so that they are drawn together.
    for (const [one, posts] of known) if (watched.has(one)) tell(one, posts);
    tellOrders?.();
  };
  const refresh = oneAtATime(readAll, (error) => {
    for (const one of watched) one.isDue = true;
    if (watched.size > 0) report('Posts could not be read', error);
  });
  chunks.onWritten((change) => {
    written.add(change);
    orders?.hear(change);
    refresh();
  });

  return {
    watch: (window, onPosts) => {
      const one: Watched = { window, onPosts, isDue: true, told: undefined };
      watched.add(one);
      refresh();
      return () => watched.delete(one);
    },
    watchOrders: (fromMs, onOrders) => {
      const reading = createOrderReading({
        window: { igId, fromMs },
        read: (work) => store.read((tx) => work(kept(tx))),
        onOrders,
        onError: (error) => report('Orders could not be read', error),
      });
      orders = reading;
      return () => reading.stop();
    },
    stop: () => {
      watched.clear();
      orders?.stop();
      chunks.stop();
    },
  };
}

function tell(one: Watched, posts: readonly Post[] | undefined): void {
  if (one.told && areSame(one.told.posts, posts)) return;
  one.told = { posts };
  one.onPosts(posts);
}

async function readDue(
  reader: StoreReader,
  igId: string | undefined,
  due: readonly Watched[],
): Promise<Array<[Watched, readonly Post[] | undefined]>> {
  for (const one of due) one.isDue = false;
  const known: Array<[Watched, readonly Post[] | undefined]> = [];
  for (const one of due) known.push([one, await readPosts(reader, igId, one.window)]);
  return known;
}

async function readPosts(
  reader: StoreReader,
  igId: string | undefined,
  window: PostWindow,
): Promise<readonly Post[] | undefined> {
  const bound = igId === undefined ? await heldFrom(reader) : await heldFromOf(reader, igId);
  const from = bound === undefined ? window.from : latest(window.from, bound);
  const foundBy = igId === undefined ? {} : { foundBy: accountKey('post', igId) };
  const rows = await listRows(reader, 'post', { ...window, from, ...foundBy });
  if (rows.length === 0 && !(await isComplete(reader, 'post'))) return undefined;
  return rowsAs<'post'>(rows);
}

async function heldFromOf(reader: StoreReader, igId: string): Promise<string | undefined> {
  const older = await findOlderPosts(reader, igId);
  return older && boundInstant(older);
}

/** What lies behind a gap isn't shown before the gap is filled. */
const latest = (from: string | undefined, bound: string): string =>
  from === undefined || Date.parse(from) < Date.parse(bound) ? bound : from;

/** Rows of unchanged chunks are the same objects. */
function areSame(before: readonly Post[] | undefined, after: readonly Post[] | undefined): boolean {
  if (!before || !after) return before === after;
  return before.length === after.length && before.every((post, index) => post === after[index]);
}

/** Within one transaction nothing changes: what many windows ask for is read once. */
function onceEach(store: StoreReader): StoreReader {
  const once = <Result>(read: (key: string) => Promise<Result>) => {
    const known = new Map<string, Promise<Result>>();
    return (key: string): Promise<Result> => {
      const before = known.get(key);
      if (before) return before;
      const reading = read(key);
      known.set(key, reading);
      return reading;
    };
  };
  return {
    ...store,
    listMeta: once((prefix) => store.listMeta(prefix)),
    chunkKeysFoundBy: once((key) => store.chunkKeysFoundBy(key)),
    listPatches: once((entity) => store.listPatches(entity)),
  };
}

/** Where in time rows were written; undefined: anywhere. */
export type Instants = readonly Span[] | undefined;

/** Gathers where in time the rows that are found by something were written since it was asked last. */
interface WrittenInstants {
  add: (written: Written) => void;
  /** What was gathered; the memtable, whose key tells no time, is looked into. */
  take: (reader: StoreReader) => Promise<Instants>;
}

/** @param foundBy undefined: all rows of the entity */
export function createWrittenInstants(
  entity: string,
  foundBy: string | undefined,
): WrittenInstants {
  let spans: Span[] | undefined = [];
  /** Memtables by key, as they were before the first write; undefined: that isn't known. */
  let memtables = new Map<string, Chunk | undefined>();
  return {
    add: ({ keys, former, isFoundBy, hasPatches, hasScopes }) => {
      if (!keys || hasPatches || hasScopes) spans = undefined;
      const isFound = foundBy === undefined || isFoundBy(foundBy);
      for (const k of keys ?? []) {
        if (entityOf(k) !== entity) continue;
        // What was never read of these rows, and holds none of them now, doesn't matter.
        if (!isFound && !former.has(k)) continue;
        if (!isMemtable(k)) spans?.push(spanOf(k));
        else if (!memtables.has(k)) memtables.set(k, former.get(k));
      }
    },
    take: async (reader) => {
      const [known, open] = [spans, memtables];
      [spans, memtables] = [[], new Map()];
      if (!known) return undefined;
      const now = await reader.getChunks([...open.keys()]);
      for (const [k, before] of open) {
        if (!before) return undefined;
        const after = now.find((chunk) => chunk.k === k);
        known.push(...changedInstants(entity, before, after));
      }
      return known;
    },
  };
}

/** Where the rows stand, and stood, that are not the same in both. */
function changedInstants(entity: string, before: Chunk, after: Chunk | undefined): Span[] {
  const versionOf = (chunk: Chunk | undefined): Map<string, number | undefined> =>
    new Map(chunk?.ids.map((id, at) => [id, chunk.v[at]]));
  const changedIn = (chunk: Chunk | undefined, other: Chunk | undefined): Span[] => {
    const versions = versionOf(other);
    return (chunk?.rows ?? [])
      .filter((_, at) => versions.get(chunk?.ids[at] ?? '') !== chunk?.v[at])
      .map((row) => {
        const atMs = instantOf(shapeOf(entity), row);
        return { newestMs: atMs, oldestMs: atMs };
      });
  };
  return [...changedIn(before, after), ...changedIn(after, before)];
}

/** Whether something in a window was written. */
export function touches({ before, from }: PostWindow, instants: Instants): boolean {
  const beforeMs = before === undefined ? Infinity : Date.parse(before);
  const fromMs = from === undefined ? -Infinity : Date.parse(from);
  return (
    instants?.some(({ newestMs, oldestMs }) => oldestMs < beforeMs && newestMs >= fromMs) ?? true
  );
}
