import { DAY_MS } from '#shared/domain/durations.ts';
import { oneAtATime } from '#web/platform/async.ts';
import { type Chunk, isMemtable } from '../store/chunk.ts';
import { type ChunkCache, createChunkCache } from '../store/chunk-cache.ts';
import { createDexieStore, type LocalDatabase } from '../store/local-database.ts';
import { isComplete, listRowsOf } from '../store/read-rows.ts';
import type { StoreReader } from '../store/sync-store.ts';
import {
  type AccountFigures,
  areSameFigures,
  figuresOf,
  type PartsByAccount,
  partsOf,
} from './account-figures.ts';
import { heldFrom } from './older-posts.ts';
import type { PostWindow } from './posts.ts';
import { ordersHeldFromMs } from './watch-orders.ts';
import { createWrittenInstants, touches } from './watch-posts.ts';

/** The figures of all accounts. */
export interface KnownFigures {
  /** By the network’s id; an account without posts and orders isn’t among them. */
  of: ReadonlyMap<string, AccountFigures>;
  /** From when on every post and order is counted, milliseconds since the epoch. */
  sinceMs: number;
}

interface FigureTimes {
  /** Nothing older is counted, milliseconds since the epoch. */
  fromMs: number;
  /** When the month began. */
  monthMs: number;
  nowMs: number;
}

/** What is written meanwhile waits so long: figures of thousands of posts needn’t follow every like. */
const REST_MS = 2000;

/** The posts and orders of one day, with what they added up to when they were read last. */
interface Day {
  window: PostWindow;
  parts: PartsByAccount | undefined;
}

/**
 * Calls back with what the posts and orders of this time add up to, once they are read and as they change. They are
 * read a day at a time, so that the page goes on meanwhile, and of what was written only its days are read again.
 */
export function watchAccountFigures(
  db: LocalDatabase,
  times: FigureTimes,
  {
    onFigures,
    onError,
  }: {
    onFigures: (figures: KnownFigures) => void;
    onError: (error: unknown) => void;
  },
): () => void {
  const chunks = createChunkCache(db);
  const store = createDexieStore(db);
  const written = ['post', 'order'].map((entity) => createWrittenInstants(entity, undefined));
  const days = daysOf(times);
  let told: KnownFigures | undefined;
  let isStopped = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const readAll = async (): Promise<void> => {
    const known = await store.read(async (tx) => {
      const reader = withMemtables(tx, chunks);
      for (const instants of written) {
        const spans = await instants.take(reader);
        for (const day of days) if (touches(day.window, spans)) day.parts = undefined;
      }
      const areKnown = (await isComplete(tx, 'post')) && (await isComplete(tx, 'order'));
      return areKnown ? heldFromMs(tx) : undefined;
    });
    if (known === undefined) return;
    for (const day of days) {
      if (isStopped) return;
      day.parts ??= await store.read((tx) => readDay(withMemtables(tx, chunks), day, times));
    }
    const sinceMs = Math.max(known, times.fromMs);
    const of = figuresOf(days.flatMap(({ parts }) => parts ?? []));
    // Rows that were only packed anew say what they said: a hundred thousand accounts aren’t gone through for them.
    const isSame = told?.sinceMs === sinceMs && areSameFigures(told.of, of);
    if (isStopped || isSame) return;
    told = { of, sinceMs };
    onFigures(told);
  };
  const refresh = oneAtATime(readAll, (error) => {
    if (!isStopped) onError(error);
  });
  chunks.onWritten((change) => {
    for (const instants of written) instants.add(change);
    resting ??= setTimeout(() => {
      resting = undefined;
      refresh();
    }, REST_MS);
  });
  refresh();
  return () => {
    isStopped = true;
    clearTimeout(resting);
    chunks.stop();
  };
}

/** Newest first; the first one goes on for ever. */
function daysOf({ fromMs, nowMs }: FigureTimes): Day[] {
  const days: Day[] = [];
  for (let endMs = nowMs; endMs > fromMs; endMs -= DAY_MS) {
    const from = new Date(Math.max(fromMs, endMs - DAY_MS)).toISOString();
    const before = days.at(-1)?.window.from;
    days.push({ window: { from, before }, parts: undefined });
  }
  return days;
}

/** Memtables are remembered, so that it can be seen what has changed in them; of the rest there is too much. */
function withMemtables(tx: StoreReader, chunks: ChunkCache): StoreReader {
  return {
    ...tx,
    getChunks: async (keys) => {
      const held = await chunks.get(tx, keys.filter(isMemtable));
      const read = await tx.getChunks(keys.filter((k) => !isMemtable(k)));
      const byKey = new Map([...held, ...read].map((chunk): [string, Chunk] => [chunk.k, chunk]));
      return keys.flatMap((k) => byKey.get(k) ?? []);
    },
  };
}

async function heldFromMs(tx: StoreReader): Promise<number> {
  return Math.max(Date.parse((await heldFrom(tx)) ?? '') || 0, await ordersHeldFromMs(tx));
}

async function readDay(
  tx: StoreReader,
  { window }: Day,
  { monthMs }: FigureTimes,
): Promise<PartsByAccount> {
  const posts = await listRowsOf(tx, 'post', window);
  const orders = await listRowsOf(tx, 'order', window);
  return partsOf(posts, orders, monthMs);
}
