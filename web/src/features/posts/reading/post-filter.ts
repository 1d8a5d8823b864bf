import type { Post } from '#shared/contract/accounts/post.ts';
import { ORDER_STATES, type OrderState } from '#shared/domain/delivery/order-state.ts';

/** Which posts are shown: all, by whether likes were ordered or came late, or by the state of the newest order. */
export const ORDER_FILTERS = ['all', 'ordered', 'not_ordered', 'late', ...ORDER_STATES] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

export const POST_SORTS = ['newest', 'oldest', 'likes', 'delivered', 'comments'] as const;
export type PostSort = (typeof POST_SORTS)[number];

export interface PostFilter {
  /** Words that all stand in the caption. */
  text: string;
  order: OrderFilter;
  /** First and last day, `2026-11-21`, in the person's zone; empty: no bound. */
  fromDay: string;
  toDay: string;
  sort: PostSort;
}

export const NO_FILTER: PostFilter = {
  text: '',
  order: 'all',
  fromDay: '',
  toDay: '',
  sort: 'newest',
};

/** Whether posts are left out. */
export function isNarrowing({ text, order, fromDay, toDay }: PostFilter): boolean {
  return text.trim() !== '' || order !== 'all' || fromDay !== '' || toDay !== '';
}

/** Whether the newest posts alone can't answer: all of them have to be read. */
export function needsAllPosts(filter: PostFilter): boolean {
  return isNarrowing(filter) || filter.sort !== 'newest';
}

/**
 * The posts a filter lets through, in its order; `posts` are given newest first.
 * @param dayOf the local day of an instant, `2026-11-21`
 * @param lateIds the posts for which the promise was not kept
 */
export function filterPosts(
  posts: readonly Post[],
  filter: PostFilter,
  dayOf: (instant: string) => string,
  lateIds: ReadonlySet<string> = NONE,
): readonly Post[] {
  if (!needsAllPosts(filter)) return posts;
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  const isIn = (post: Post): boolean =>
    isOfOrder(post, filter.order, lateIds) &&
    isOfText(post, words) &&
    isOfDays(post, filter, dayOf);
  return sorted(posts.filter(isIn), filter.sort);
}

const NONE: ReadonlySet<string> = new Set();

function isOfOrder(post: Post, order: OrderFilter, lateIds: ReadonlySet<string>): boolean {
  if (order === 'all') return true;
  if (order === 'late') return lateIds.has(post.id);
  if (order === 'not_ordered') return post.order === null;
  if (order === 'ordered') return post.order !== null;
  return post.order?.state === (order satisfies OrderState);
}

function isOfText(post: Post, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const caption = post.caption.toLowerCase();
  return words.every((word) => caption.includes(word));
}

function isOfDays(
  post: Post,
  { fromDay, toDay }: PostFilter,
  dayOf: (instant: string) => string,
): boolean {
  if (fromDay === '' && toDay === '') return true;
  const day = dayOf(post.takenAt);
  return (fromDay === '' || day >= fromDay) && (toDay === '' || day <= toDay);
}

/** The sort is stable, so that equal posts stay newest first. */
function sorted(posts: Post[], sort: PostSort): readonly Post[] {
  switch (sort) {
    case 'newest':
      return posts;
    case 'oldest':
      return posts.toReversed();
    case 'likes':
      return posts.toSorted(
        (a, b) => (b.edge_media_preview_like.count ?? -1) - (a.edge_media_preview_like.count ?? -1),
      );
    case 'delivered':
      return posts.toSorted((a, b) => b.deliveredLikes - a.deliveredLikes);
    case 'comments':
      return posts.toSorted(
        (a, b) => b.edge_media_to_comment.count - a.edge_media_to_comment.count,
      );
    default:
      return sort satisfies never;
  }
}
