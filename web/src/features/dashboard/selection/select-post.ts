import type { Post } from '#shared/contract/post.ts';
import { type Selection, selectRange, toggleRow } from '#web/components/data-table/selection.ts';

/**
 * The selection after a post was chosen, or let go; with `from` everything between the two is chosen.
 * Nothing can be ordered for deleted posts, so they are never chosen.
 */
export function selectPost(
  selection: Selection,
  shown: readonly Pick<Post, 'id' | 'deletedAt'>[],
  postId: string,
  from: string | undefined,
): Selection {
  const there = shown.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  const to = there.indexOf(postId);
  if (to === -1) return selection;
  const first = from === undefined ? -1 : there.indexOf(from);
  return first === -1 ? toggleRow(selection, postId) : selectRange(selection, there, first, to);
}
