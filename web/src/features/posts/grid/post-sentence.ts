import type { Post } from '#shared/contract/accounts/post.ts';
import {
  AUTOMATIC_POSTS_PER_DAY,
  type AutomaticOutcome,
} from '#shared/domain/delivery/automatic-likes.ts';
import { likeCounts } from '#shared/domain/delivery/like-pair.ts';
import type { OrderState } from '#shared/domain/delivery/order-state.ts';
import { uncapitalized } from '#shared/domain/words/first-letter.ts';
import { counted, figure } from '#web/ui/words/figures.ts';

type Order = Omit<NonNullable<Post['order']>, 'id'>;

/** "1 like", "20 likes". */
function likesInWords(count: number): string {
  return counted(count, 'like');
}

/** What was ordered, and what is free on top: "500 likes", "500 + 50 bonus likes". */
function orderedInWords({ target, bonus }: Order): string {
  const ordered = target - bonus;
  return bonus === 0 ? likesInWords(ordered) : `${figure(ordered)} + ${figure(bonus)} bonus likes`;
}

const ORDER_SENTENCES: Record<OrderState, (order: Order) => string> = {
  Pending: () => 'Ordered, waiting for the delivery network.',
  Processing: () => 'The first likes are on their way.',
  'In progress': (order) => `${figure(order.delivered)} of ${orderedInWords(order)} delivered.`,
  Completed: (order) => `All ${orderedInWords(order)} delivered.`,
  Partial: (order) =>
    `Ended with ${figure(order.delivered)} of ${orderedInWords(order)} delivered.`,
  Canceled: () => 'No likes were delivered.',
};

const OUTCOME_SENTENCES: Record<AutomaticOutcome, string> = {
  ordered: 'New post. We’re ordering its likes.',
  before_subscription: 'Posted before your plan.',
  daily_limit: `No automatic likes: only the first ${AUTOMATIC_POSTS_PER_DAY} posts a day get them.`,
  switched_off: 'No automatic likes: they were off when you posted this.',
  day_given_back: 'No automatic likes: this day was credited to your plan.',
  no_subscription: 'No automatic likes: no paid plan covers that day.',
};

/** How far the likes of an order are, in one true sentence. */
export function orderSentence(order: Order): string {
  return ORDER_SENTENCES[order.state](order);
}

/** Beside likes of orders before it, an order's own are told as its own. */
function newestOrder({ deliveredLikes }: Post, order: Order): string {
  const sentence = orderSentence(order);
  return deliveredLikes > order.delivered ? `Newest order: ${uncapitalized(sentence)}` : sentence;
}

/** What is happening with a post's likes, or why nothing is, in one true sentence. */
export function postSentence(post: Post): string {
  const gone = post.deletedAt === null ? '' : 'Deleted on Instagram. ';
  return (
    gone + (post.order ? newestOrder(post, post.order) : OUTCOME_SENTENCES[post.automaticOutcome])
  );
}

/** More doesn't fit on two lines; laying out all of 2,200 characters a card would only cost time. */
const CAPTION_SHOWN = 200;

/** The beginning of a caption, on one line. */
export function captionStart(caption: string): string {
  return caption.slice(0, CAPTION_SHOWN).toWellFormed().replaceAll(/\s+/gu, ' ').trim();
}

/** The likes of a post in words; hidden ones are never shown as 0 (D7). */
export function totalInWords({ edge_media_preview_like: { count } }: Post): string {
  return count === null ? 'Likes hidden' : likesInWords(count);
}

/** Whether nobody here may know how many likes were given by orders: neither plan, order nor proof (D6). */
export function isOrganicUnknown({
  organicLikes,
  edge_media_preview_like: { count },
}: Post): boolean {
  return organicLikes === null && count !== null;
}

/** Where the likes of a post come from, part by part; they sum up to its total. */
interface LikePart {
  tone: 'organic' | 'purchased' | 'other';
  words: string;
}

/** The parts of a post's likes. What nothing was ordered of or lost isn't named. */
export function likeParts(post: Post): LikePart[] {
  const { organicLikes: organic, deliveredLikes: delivered } = post;
  const total = post.edge_media_preview_like.count;
  const ours: LikePart[] =
    delivered > 0 || post.order
      ? [{ tone: 'purchased', words: `${figure(delivered)} delivered` }]
      : [];
  if (total === null || organic === null) {
    const words = isOrganicUnknown(post) ? 'organic unknown' : 'organic hidden';
    return [{ tone: 'organic', words }, ...ours];
  }
  const { elsewhere, lost } = likeCounts({ total, organic, delivered });
  return [
    { tone: 'organic', words: `${figure(organic)} organic` },
    ...ours,
    ...(elsewhere > 0
      ? [{ tone: 'other' as const, words: `${figure(elsewhere)} ordered by others` }]
      : []),
    ...(lost > 0
      ? [{ tone: 'other' as const, words: `\u2212${figure(lost)} removed by the network` }]
      : []),
  ];
}
