import type { Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from '../accounts/account.repository.ts';
import type { PostKey } from '../posts/post.repository.ts';

/** Tells whoever serves posts what was seen, in the transaction that stores it. */
export interface PostEvents {
  /** Posts of these accounts may be new; the accounts' schedules are locked. */
  onPostsStored(tx: Tx, accounts: readonly AccountKey[], now: Date): Promise<void>;
  /** The network says that the post is gone. */
  onPostDeleted(tx: Tx, post: PostKey, now: Date): Promise<void>;
}
