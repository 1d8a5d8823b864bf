import { Dexie, RangeSet, rangesOverlap, type ObservabilitySet } from 'dexie';
import type { Post } from '#shared/contract/post.ts';
import type { Chunk } from './chunk.ts';
import { createDexieStore } from './dexie-store.ts';
import { accountKey } from './entity-shape.ts';
import type { LocalDatabase } from './local-database.ts';
import { boundInstant, findOlderPosts } from './older-posts.ts';
import type { PostWindow } from './local-posts.ts';
import { rowsAs } from './local-rows.ts';
import { isComplete, listRows } from './read-rows.ts';
import type { StoreReader } from './sync-store.ts';

type OnPosts = (posts: readonly Post[] | undefined) => void;

interface Watched {
  window: PostWindow;
  onPosts: OnPosts;
  /** Whether something changed since it was read. */
  isDue: boolean;
  /** What it was told last; undefined before the first time. */
  told: { posts: readonly Post[] | undefined } | undefined;
}

/** Watches windows of one account's posts, which share what was read. */
export interface PostWatch {
  /** Calls back with the posts of a window now and whenever they change; returns how to stop. */
  watch: (window: PostWindow, onPosts: OnPosts) => () => void;
  stop: () => void;
}

/**
 * Keeps every chunk that was read until it changes: a like that arrives makes one chunk read again,
 * however many thousand posts are on the screen.
 */
export function createPostWatch(
  db: LocalDatabase,
  igId: string,
  report: (event: string, detail: unknown) => void,
): PostWatch {
  const chunks = createChunkCache(db);
  const store = createDexieStore(db);
  const watched = new Set<Watched>();

  const tell = (one: Watched, posts: readonly Post[] | undefined): void => {
    if (!watched.has(one) || (one.told && areSame(one.told.posts, posts))) return;
    one.told = { posts };
    one.onPosts(posts);
  };
  const readAll = async (): Promise<void> => {
    const asked = [...watched].filter(({ isDue }) => isDue);
    for (const one of asked) one.isDue = false;
    const found = await store.read(async (tx) => {
      const reader = onceEach({ ...tx, getChunks: (keys) => chunks.get(tx, keys) });
      const known: Array<readonly Post[] | undefined> = [];
      for (const { window } of asked) known.push(await readPosts(reader, igId, window));
      return known;
    });
    for (const [index, one] of asked.entries()) tell(one, found[index]);
  };
  const refresh = oneAtATime(readAll, (error) => {
    if (watched.size > 0) report('Posts could not be read', error);
  });
  const stopChunks = chunks.onChange(() => {
    for (const one of watched) one.isDue = true;
    refresh();
  });

  return {
    watch: (window, onPosts) => {
      const one: Watched = { window, onPosts, isDue: true, told: undefined };
      watched.add(one);
      refresh();
      return () => watched.delete(one);
    },
    stop: () => {
      watched.clear();
      stopChunks();
    },
  };
}

/** Does the work soon after it was asked for; what is asked for meanwhile is done once more afterwards. */
function oneAtATime(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // So that what is asked for in one go is done together.
    await Promise.resolve();
    isDue = false;
    await work().catch(onError);
    isRunning = false;
    if (isDue) void run();
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}

async function readPosts(
  reader: StoreReader,
  igId: string,
  window: PostWindow,
): Promise<readonly Post[] | undefined> {
  const older = await findOlderPosts(reader, igId);
  const from = older ? latest(window.from, boundInstant(older)) : window.from;
  const foundBy = accountKey('post', igId);
  const rows = await listRows(reader, 'post', { ...window, from, foundBy });
  if (rows.length === 0 && !(await isComplete(reader, 'post'))) return undefined;
  return rowsAs<'post'>(rows);
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

/** The chunks of a copy as they were last read; what is written anywhere is forgotten here. */
function createChunkCache(db: LocalDatabase): {
  get: (store: StoreReader, keys: readonly string[]) => Promise<Chunk[]>;
  onChange: (listener: () => void) => () => void;
} {
  const held = new Map<string, Chunk>();
  /** Counts what was written: a reading that began before must not be kept. */
  let writes = 0;
  const forget = (written: ObservabilitySet): boolean => {
    const ranges = written['all'] ?? written[`idb://${db.name}/chunk/`];
    if (ranges) {
      writes += 1;
      for (const k of held.keys()) if (rangesOverlap(new RangeSet(k), ranges)) held.delete(k);
    }
    return ranges !== undefined || written[`idb://${db.name}/patch/`] !== undefined;
  };
  return {
    get: async (store, keys) => {
      const missing = keys.filter((k) => !held.has(k));
      const before = writes;
      const found = missing.length > 0 ? await store.getChunks(missing) : [];
      const read = new Map(found.map((chunk) => [chunk.k, chunk]));
      const chunks = keys.flatMap((k) => held.get(k) ?? read.get(k) ?? []);
      if (before === writes) for (const chunk of found) held.set(chunk.k, chunk);
      return chunks;
    },
    onChange: (listener) => {
      const hear = (written: ObservabilitySet): void => {
        const hasScopes = written[`idb://${db.name}/meta/`] !== undefined;
        if (forget(written) || hasScopes) listener();
      };
      Dexie.on('storagemutated', hear);
      return () => Dexie.on.storagemutated.unsubscribe(hear);
    },
  };
}
