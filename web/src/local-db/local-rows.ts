import type { EntityName, EntityRow } from '#shared/sync/entities.ts';
import type { Row } from './chunk.ts';
import { createDexieStore } from './dexie-store.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRows, type RowWindow } from './read-rows.ts';
import type { StoreReader } from './sync-store.ts';

/** Reads the local copy at one moment; inside a live query it is read again when that changes. */
export function readLocal<Result>(
  db: LocalDatabase,
  work: (store: StoreReader) => Promise<Result>,
): Promise<Result> {
  return createDexieStore(db).read(work);
}

/** The rows of an entity, newest first where they have an order. */
export async function listRowsOf<Entity extends EntityName>(
  store: StoreReader,
  entity: Entity,
  window: RowWindow = {},
): Promise<EntityRow<Entity>[]> {
  return rowsAs<Entity>(await listRows(store, entity, window));
}

/** Rows are trusted (`WireRow`). */
export function rowsAs<Entity extends EntityName>(rows: Row[]): EntityRow<Entity>[] {
  return rows as unknown[] as EntityRow<Entity>[];
}
