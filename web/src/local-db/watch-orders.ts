import type { LikeOrder } from '#shared/contract/like-order.ts';
import { createChunkCache } from './chunk-cache.ts';
import { createDexieStore } from './dexie-store.ts';
import { accountKey } from './entity-shape.ts';
import type { LocalDatabase } from './local-database.ts';
import { rowsAs } from './local-rows.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isComplete, listRows } from './read-rows.ts';
import { listShown } from './scope-state.ts';
import type { StoreReader } from './sync-store.ts';

/** The newest orders of an account, or of all. */
export interface NewestOrders {
  /** Newest first. */
  orders: readonly LikeOrder[];
  /** Every order detected since then is among them, milliseconds since the epoch. */
  sinceMs: number;
}

export interface OrderWindow {
  /** Of this account; undefined: of all. */
  igId: string | undefined;
  /** No older ones than these, milliseconds since the epoch. */
  fromMs: number;
}

/** Thousands of accounts have as many in an hour; more are not counted through. */
const ORDERS_MOST = 5000;
/** Likes arrive each second: what many orders add up to is read anew no sooner. */
const REST_MS = 2000;

/** Calls back with the newest orders now and whenever they change; returns how to stop. */
export function watchNewestOrders(
  db: LocalDatabase,
  window: OrderWindow,
  onOrders: (newest: NewestOrders) => void,
  report: (event: string, detail: unknown) => void,
): () => void {
  const chunks = createChunkCache(db);
  const store = createDexieStore(db);
  let isWatching = true;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const refresh = oneAtATime(
    async () => {
      const newest = await store.read((tx) =>
        readNewestOrders({ ...tx, getChunks: (keys) => chunks.get(tx, keys) }, window),
      );
      if (isWatching && newest) onOrders(newest);
    },
    (error) => {
      if (isWatching) report('Orders could not be read', error);
    },
  );
  chunks.onWritten(({ keys, hasPatches, hasScopes }) => {
    const isAbout = keys?.some((k) => k.split('|')[1] === 'order') ?? true;
    if (!isAbout && !hasPatches && !hasScopes) return;
    resting ??= setTimeout(() => {
      resting = undefined;
      refresh();
    }, REST_MS);
  });
  refresh();
  return () => {
    isWatching = false;
    clearTimeout(resting);
    chunks.stop();
  };
}

/** The newest orders as they are held now; undefined until the orders were read as a whole. */
export async function readNewestOrders(
  store: StoreReader,
  { igId, fromMs }: OrderWindow,
): Promise<NewestOrders | undefined> {
  if (!(await isComplete(store, 'order'))) return undefined;
  const rows = await listRows(store, 'order', {
    ...(igId !== undefined && { foundBy: accountKey('order', igId) }),
    from: new Date(fromMs).toISOString(),
    limit: ORDERS_MOST,
  });
  const orders = rowsAs<'order'>(rows);
  const bounds = (await listShown(store)).map(({ more }) => madeAtMs(more?.['order']));
  const oldest = orders.length === ORDERS_MOST ? orders.at(-1)?.detectedAt : undefined;
  return { orders, sinceMs: Math.max(fromMs, Date.parse(oldest ?? '') || 0, ...bounds) };
}

/** When the order of a time-ordered id was made, milliseconds; 0 without one. Behind it orders may be missing. */
function madeAtMs(id: string | undefined): number {
  return Number.parseInt((id ?? '').replaceAll('-', '').slice(0, 12), 16) || 0;
}
