/** A one-off purchase of credits (S§9); 1 credit is 1 like. */
export interface CreditPackage {
  credits: number;
  /** Price in dollars. */
  price: number;
  priceCents: number;
}

const pack = (credits: number, dollars: number): CreditPackage => ({
  credits,
  price: dollars,
  priceCents: dollars * 100,
});

/** The smallest first. */
export const CREDIT_PACKAGES: readonly [CreditPackage, ...CreditPackage[]] = [
  pack(2500, 10),
  pack(7500, 29),
  pack(15_000, 57),
  pack(25_000, 93),
  pack(50_000, 180),
  pack(100_000, 350),
];

/** What is said of an order of extra likes that was taken, by the server and by the device that sent it. */
export function likesOrderedSentence(likes: number): string {
  return `${likes.toLocaleString('en-US')} likes are on their way`;
}

/** Why none was taken. */
export function creditsTooLowSentence(credits: number): string {
  return `You have ${credits.toLocaleString('en-US')} ${credits === 1 ? 'credit' : 'credits'}. That’s not enough for this order.`;
}

/** Bonus credits among the balance wait for a first payment (D4); the rest of it waits for nothing. */
export const canSpendCredits = (lockedBonus: number): boolean => lockedBonus === 0;

/** Why credits can't be spent that came without a payment. */
export const BONUS_WAITS = 'Bonus credits can be spent after your first payment.';

/** Smallest extra-likes order, and the amount the form starts with. */
export const EXTRA_LIKES_MIN = 20;
