import type { Post } from '#shared/contract/accounts/post.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import type { LoadedPosts } from '../reading/post-pages.ts';

/** What the place of the posts shows. */
export type PostsView =
  | { kind: 'waiting' }
  /** They could not be read and nothing is kept (S§2); `reason` is the server's sentence, if it has one. */
  | { kind: 'maintenance'; reason: string | undefined }
  | { kind: 'empty' }
  | { kind: 'posts'; posts: readonly Post[]; isComplete: boolean };

/** `unreadable`: why the network did not show an account that nothing is kept of. */
export function gridView(
  { posts, isComplete }: LoadedPosts,
  status: SyncStatus,
  unreadable?: string,
): PostsView {
  if (!posts) {
    return isFollowing(status) ? { kind: 'waiting' } : { kind: 'maintenance', reason: undefined };
  }
  if (posts.length > 0) return { kind: 'posts', posts, isComplete };
  return unreadable === undefined ? { kind: 'empty' } : { kind: 'maintenance', reason: unreadable };
}

/** Whether what the server knows is here, or on its way. */
function isFollowing({ kind }: SyncStatus): boolean {
  return kind === 'starting' || kind === 'live' || kind === 'syncing';
}
