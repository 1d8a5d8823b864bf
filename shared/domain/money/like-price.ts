import { AUTOMATIC_POSTS_PER_DAY } from '../delivery/automatic-likes.ts';

/** The plan an automatic order was made under; kept with the order, because plans change. */
export interface OrderTerms {
  planPriceCents: number;
  /** Likes per post of the plan. */
  planLikes: number;
  /** Local days of the period, counted without shift. */
  periodDays: number;
}

/** A credit is worth 0.4 cents: what the smallest pack asks for it. 5 of them are 2 cents. */
const CENTS_PER_FIVE_CREDITS = 2;

/**
 * What likes cost in a plan, in cents and parts of them: a plan's price pays for 4 posts on each day of the
 * period, so a like costs price / (4 x days x likes per post). One price for everything that gives value
 * back, whether the likes were ordered with a range or not.
 */
export function likesCostCents(
  likes: number,
  { planPriceCents, planLikes, periodDays }: OrderTerms,
): number {
  return (likes * planPriceCents) / (AUTOMATIC_POSTS_PER_DAY * periodDays * planLikes);
}

/** What so many credits cost, in cents and parts of them. */
export function creditsCostCents(credits: number): number {
  return (credits * CENTS_PER_FIVE_CREDITS) / 5;
}

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
