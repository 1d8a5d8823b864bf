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

/** The posts as cells of a grid: those from `from` on begin a row, behind empty cells. */
export function gridCells(
  posts: readonly Post[],
  columns: number,
  from: number | undefined,
): ReadonlyArray<Post | undefined> {
  const short = from === undefined ? 0 : from % columns;
  if (from === undefined || short === 0) return posts;
  const empty = Array.from({ length: columns - short }, () => undefined);
  return [...posts.slice(0, from), ...empty, ...posts.slice(from)];
}
