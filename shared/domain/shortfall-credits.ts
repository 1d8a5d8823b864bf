import { AUTOMATIC_POSTS_PER_DAY } from './automatic-likes.ts';
import { CENTS_PER_FIVE_CREDITS, type OrderTerms } from './like-price.ts';

/**
 * Credits for plan likes that the provider could not deliver (D7): value for value. Likes x the plan's price
 * per like / 0.4 cents, rounded up, so they are worth what the likes had cost and less than one credit
 * more. Not one for one: that would sell a large plan's likes (0.04 cents) as credits (0.4 cents). Bonus
 * likes cost nothing, so the caller leaves them out. Whole numbers until the one division, so exact.
 */
export function shortfallCredits(
  likes: number,
  { planPriceCents, planLikes, periodDays }: OrderTerms,
): number {
  const paid = 5 * likes * planPriceCents;
  return Math.ceil(
    paid / (CENTS_PER_FIVE_CREDITS * AUTOMATIC_POSTS_PER_DAY * periodDays * planLikes),
  );
}
