import type { LocalDatabase } from './local-database.ts';
import { readLocal } from './local-rows.ts';
import type { StoreReader, StoreWriter } from './sync-store.ts';

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

export const findLocalRowLimit = (db: LocalDatabase): Promise<number> =>
  readLocal(db, findRowLimit);
