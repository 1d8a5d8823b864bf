import type { Post } from '#shared/contract/post.ts';
import type { AutomaticOutcome } from '#shared/domain/automatic-likes.ts';

const OLDER: ReadonlySet<AutomaticOutcome> = new Set(['before_subscription', 'no_subscription']);

/**
 * Where the posts from before the plan begin, of posts newest first: what is true of all of them is said
 * there once. Undefined: there are none, or a plan began among them.
 */
export function beforePlanFrom(posts: readonly Post[]): number | undefined {
  const lastOther = posts.findLastIndex(({ automaticOutcome }) => !OLDER.has(automaticOutcome));
  const from = lastOther + 1;
  const isThere = posts
    .slice(from)
    .some(({ automaticOutcome }) => automaticOutcome === 'before_subscription');
  return isThere ? from : undefined;
}
