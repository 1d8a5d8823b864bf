import { formatCents } from '#shared/domain/money/money.ts';
import type { Plan } from '#shared/domain/money/plans.ts';

/** What a plan's price is spread over when the price of one like is told. */
export const POSTS_A_MONTH = 30;

/** "0.32 cents": the price of one like at so many posts a month. */
export function pricePerLike(plan: Plan): string {
  return `${(plan.priceCents / (plan.likes * POSTS_A_MONTH)).toFixed(2)} cents`;
}

/** "$0.80": the price of one post at so many a month. */
export function pricePerPost(plan: Plan): string {
  return formatCents(Math.round(plan.priceCents / POSTS_A_MONTH));
}

/** The plan we would begin with: an opinion, and told as one (D1). */
export const OUR_PICK = 3;
export const OUR_PICK_WORDS = 'Our usual pick';

const PURPOSES = [
  'For a new account finding its first audience',
  'For a personal page that posts now and then',
  'For a creator who posts most days',
  'For the café, studio or shop around the corner',
  'For a shop that sells through its posts',
  'For a brand with a weekly posting schedule',
  'For a brand with a large audience',
  'For agencies and nationally known accounts',
  'For the largest accounts',
];

/** Whom a plan is for, in half a sentence. */
export function planPurpose(plan: Plan): string {
  return PURPOSES[plan.number - 1] ?? '';
}

/** What every card lists (S§2), as far as it exists (D1). */
export const INCLUDED = [
  'Unlimited posts',
  'Real likes from real users',
  'Free views on all videos',
  'No password, no stored card number',
  'Support by contact form',
  '30 day money back guarantee',
  'Cancel anytime',
];
