import type { LocalDatabase } from './local-database.ts';
import { readLocal } from './local-rows.ts';
import type { StoreReader } from './sync-store.ts';

/** As the sync keeps it (`keepAsOf`); read here so that a page needn't load the sync for it. */
const AS_OF = 'as-of';

/** The server's time up to which the copy is known to be whole, milliseconds; undefined: never was. */
export async function readAsOf(store: StoreReader): Promise<number | undefined> {
  return (await store.getMeta(AS_OF)) as number | undefined;
}

export const findLocalAsOf = (db: LocalDatabase): Promise<number | undefined> =>
  readLocal(db, readAsOf);
