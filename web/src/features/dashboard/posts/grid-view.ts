import type { Post } from '#shared/contract/post.ts';
import type { SyncStatus } from '#web/sync/sync-service.ts';
import type { LoadedPosts } from './post-pages.ts';

/** What the place of the posts shows. */
export type GridView =
  | { kind: 'waiting' }
  /** They could not be read and nothing is kept (S§2); `reason` is the server's sentence, if it has one. */
  | { kind: 'maintenance'; reason: string | undefined }
  | { kind: 'empty' }
  | { kind: 'posts'; posts: readonly Post[]; isComplete: boolean; isStale: boolean };

export function gridView({ posts, isComplete }: LoadedPosts, status: SyncStatus): GridView {
  const hasFailed = status.kind === 'unreachable' || status.kind === 'posts_unreadable';
  if (!posts) {
    if (!hasFailed) return { kind: 'waiting' };
    const reason = status.kind === 'posts_unreadable' ? status.sentence : undefined;
    return { kind: 'maintenance', reason };
  }
  if (posts.length === 0) return { kind: 'empty' };
  return { kind: 'posts', posts, isComplete, isStale: hasFailed };
}
