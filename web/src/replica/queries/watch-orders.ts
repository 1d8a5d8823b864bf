import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import { oneAtATime } from '#web/platform/async.ts';
import { entityOf } from '../store/chunk.ts';
import type { Written } from '../store/chunk-cache.ts';
import { accountKey } from '../store/entity-shape.ts';
import { isComplete, listRows, rowsAs } from '../store/read-rows.ts';
import { listShown } from '../store/scope-state.ts';
import type { StoreReader } from '../store/sync-store.ts';

/** The newest orders of an account, or of all. */
export interface NewestOrders {
  /** Newest first. */
  orders: readonly LikeOrder[];
  /** Every order detected since then is among them, milliseconds since the epoch. */
  sinceMs: number;
}

interface OrderWindow {
  /** Of this account; undefined: of all. */
  igId: string | undefined;
  /** No older ones than these, milliseconds since the epoch. */
  fromMs: number;
}

/** Thousands of accounts have as many in an hour; more are not counted through. */
const ORDER_LIMIT = 5000;
/** Reading these and what they add up to takes 4 ms, also each time that a like arrives. */
const FEW_ORDERS = 1000;
/** What more orders add up to is read anew no sooner. */
const REST_MS = 2000;

/** A window of the newest orders that is read again as it changes. */
export interface OrderReading {
  /** Hears what was written. */
  hear: (written: Pick<Written, 'keys' | 'hasPatches' | 'hasScopes'>) => void;
  /** Reads with the posts what has changed, if it is little; returns how to tell it. */
  take: (reader: StoreReader) => Promise<(() => void) | undefined>;
  stop: () => void;
}

interface OrderReadingOptions {
  window: OrderWindow;
  /** A reading without posts: the first one, which they don't wait for, and those of many orders. */
  read: <Result>(work: (reader: StoreReader) => Promise<Result>) => Promise<Result>;
  onOrders: (newest: NewestOrders) => void;
  onError: (error: unknown) => void;
}

/** Reads them at once, and a few of them whenever posts are read: a like counts in both at one moment. */
export function createOrderReading(options: OrderReadingOptions): OrderReading {
  const { window, read, onOrders, onError } = options;
  let size: 'unknown' | 'few' | 'many' = 'unknown';
  let isDue = false;
  let isStopped = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const tell = (newest: NewestOrders | undefined): void => {
    if (isStopped || !newest) return;
    size = newest.orders.length <= FEW_ORDERS ? 'few' : 'many';
    onOrders(newest);
  };
  const readAlone = oneAtATime(
    async () => tell(await read((reader) => readNewestOrders(reader, window))),
    (error) => {
      if (!isStopped) onError(error);
    },
  );
  readAlone();
  return {
    hear: ({ keys, hasPatches, hasScopes }) => {
      const isAbout = keys?.some((k) => entityOf(k) === 'order') ?? true;
      if (isStopped || (!isAbout && !hasPatches && !hasScopes)) return;
      if (size === 'few') isDue = true;
      else if (size === 'unknown') readAlone();
      else {
        resting ??= setTimeout(() => {
          resting = undefined;
          readAlone();
        }, REST_MS);
      }
    },
    take: async (reader) => {
      if (!isDue) return undefined;
      const newest = await readNewestOrders(reader, window);
      isDue = false;
      return () => tell(newest);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(resting);
    },
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
    limit: ORDER_LIMIT,
  });
  const orders = rowsAs<'order'>(rows);
  const oldest = orders.length === ORDER_LIMIT ? orders.at(-1)?.detectedAt : undefined;
  const heldMs = await ordersHeldFromMs(store);
  return { orders, sinceMs: Math.max(fromMs, Date.parse(oldest ?? '') || 0, heldMs) };
}

/** From when on no order is missing, milliseconds since the epoch; 0: none is. */
export async function ordersHeldFromMs(store: StoreReader): Promise<number> {
  return Math.max(0, ...(await listShown(store)).map(({ more }) => madeAtMs(more?.['order'])));
}

/** When the order of a time-ordered id was made, milliseconds; 0 without one. Behind it orders may be missing. */
function madeAtMs(id: string | undefined): number {
  return Number.parseInt((id ?? '').replaceAll('-', '').slice(0, 12), 16) || 0;
}
