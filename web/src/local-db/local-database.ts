import { Dexie, type EntityTable, type Table } from 'dexie';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { Post } from '#shared/contract/post.ts';

/** A fact about the copy itself, such as when an account's posts were last answered. */
export interface MetaRow {
  key: string;
  value: unknown;
}

/** One user's copy of what the server knows. Each user has a database of their own. */
export class LocalDatabase extends Dexie {
  declare readonly accounts: EntityTable<ConnectedAccount, 'igUsername'>;
  declare readonly posts: Table<Post, string>;
  declare readonly orders: Table<LikeOrder, string>;
  declare readonly meta: EntityTable<MetaRow, 'key'>;

  constructor(userId: string) {
    super(localDatabaseName(userId));
    this.version(1).stores({
      accounts: 'igUsername',
      posts: 'id, [igId+takenAt]',
      orders: 'id, postId, igId',
      meta: 'key',
    });
  }
}

export function localDatabaseName(userId: string): string {
  return `ovation-${userId}`;
}

/** Removes a user's copy, open windows included (Dexie closes them on the version change). */
export async function wipeLocalDatabase(userId: string): Promise<void> {
  await Dexie.delete(localDatabaseName(userId));
}
