import { Dexie, type EntityTable, type Table } from 'dexie';
import type { Chunk } from './chunk.ts';
import { rowsAreOfSchemaThree } from './local-database-versions.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch } from './patch.ts';

/** A fact about the copy itself, such as how far a scope is known. */
export interface MetaRow {
  key: string;
  value: unknown;
}

/** One user's copy of what the server knows. Each user has a database of their own. */
export class LocalDatabase extends Dexie {
  declare readonly chunk: EntityTable<Chunk, 'k'>;
  declare readonly meta: EntityTable<MetaRow, 'key'>;
  declare readonly outbox: EntityTable<OutboxItem, 'id'>;
  declare readonly patch: Table<Patch, [entity: string, id: string, itemId: string]>;

  constructor(userId: string) {
    super(localDatabaseName(userId));
    rowsAreOfSchemaThree(this);
  }
}

const NAME = 'ovation-';

export const localDatabaseName = (userId: string): string => NAME + userId;

export const localUserId = (name: string): string => name.slice(NAME.length);

export const isLocalDatabaseName = (name: string): boolean => name.startsWith(NAME);

/**
 * Lets go of the copy when another window deletes it or brings it to a newer form. Opened again by
 * itself, as Dexie would, it would come back to life empty.
 */
export function closeWhenReplaced(
  db: LocalDatabase,
  onClosed: (how: 'deleted' | 'upgraded') => void,
): void {
  db.on('versionchange', ({ newVersion }) => {
    db.close();
    onClosed(newVersion === null || newVersion === 0 ? 'deleted' : 'upgraded');
    return false;
  });
}
