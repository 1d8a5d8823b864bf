import { capitalized } from '#shared/domain/words/first-letter.ts';
import { figure, postsInWords } from '#web/ui/words/figures.ts';
import {
  NO_FILTER,
  type OrderFilter,
  type PostFilter,
  type PostSort,
} from '../reading/post-filter.ts';

const ORDER_LABELS: Partial<Record<OrderFilter, string>> = {
  all: 'All posts',
  ordered: 'With an order',
  not_ordered: 'Without an order',
  late: 'Not on time',
};

export const SORT_LABELS: Record<PostSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  likes: 'Most likes first',
  delivered: 'Most delivered first',
  comments: 'Most comments first',
};

export const orderLabel = (order: OrderFilter): string => ORDER_LABELS[order] ?? order;

/** What a filter does, as a name for it: "In progress, “bread”, most likes first". */
export function filterInWords({ text, order, fromDay, toDay, sort }: PostFilter): string {
  const parts = [
    order !== NO_FILTER.order && orderLabel(order),
    text.trim() && `“${text.trim()}”`,
    fromDay && `from ${fromDay}`,
    toDay && `until ${toDay}`,
    sort !== NO_FILTER.sort && SORT_LABELS[sort].toLowerCase(),
  ].filter(Boolean);
  return capitalized(parts.join(', '));
}

/** How many posts are shown, and whether that is all of them. */
export function countInWords(
  shown: number,
  loaded: number,
  isComplete: boolean,
  isNarrowed: boolean,
): string {
  if (isNarrowed) {
    const all = `${figure(shown)} of ${postsInWords(loaded)}`;
    return isComplete ? `${all} match.` : `${all} checked so far match.`;
  }
  return isComplete ? postsInWords(loaded) : `The newest ${postsInWords(loaded)}`;
}
