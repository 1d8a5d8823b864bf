import { Dexie, type EntityTable, type Table } from 'dexie';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { Post } from '#shared/contract/post.ts';
import type { Chunk } from './chunk.ts';
import { rowsBecomeChunks } from './local-database-versions.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch } from './patch.ts';

/** A fact about the copy itself, such as how far a scope is known. */
export interface MetaRow {
  key: string;
  value: unknown;
}

/** One user's copy of what the server knows. Each user has a database of their own. */
export class LocalDatabase extends Dexie {
  declare readonly accounts: EntityTable<ConnectedAccount, 'igUsername'>;
  declare readonly posts: Table<Post, string>;
  declare readonly orders: Table<LikeOrder, string>;
  declare readonly chunk: EntityTable<Chunk, 'k'>;
  declare readonly meta: EntityTable<MetaRow, 'key'>;
  declare readonly outbox: EntityTable<OutboxItem, 'id'>;
  declare readonly patch: Table<Patch, [entity: string, id: string, itemId: string]>;

  constructor(userId: string) {
    super(localDatabaseName(userId));
    rowsBecomeChunks(this);
  }
}

export function localDatabaseName(userId: string): string {
  return `ovation-${userId}`;
}

/** Removes a user's copy, open windows included (Dexie closes them on the version change). */
export async function wipeLocalDatabase(userId: string): Promise<void> {
  await Dexie.delete(localDatabaseName(userId));
}
