import { creditsCostCents, likesCostCents, type OrderTerms } from './like-price.ts';

/** Automatic likes that cost nothing when a plan's money goes back. */
export const MONEY_BACK_FREE_LIKES = 2500;

/** An automatic order of the plan. */
export interface MoneyBackOrder extends OrderTerms {
  /** Without bonus. */
  ordered: number;
  /** With bonus, which comes last. */
  delivered: number;
  isFinal: boolean;
}

export interface MoneyBackFacts {
  /** All that was charged for the plan, less what was refunded or is disputed. */
  chargedCents: number;
  /** Oldest first: the free likes are the first ones delivered. */
  orders: readonly MoneyBackOrder[];
  /** False once a card that paid for the plan has had its free likes with another money back. */
  hasFreeLikes: boolean;
  /** Credits given by its orders, and bonus that only its payments unlocked, which are spent or held. */
  usedCredits: number;
}

export interface MoneyBackAmount {
  cents: number;
  /** Automatic likes that count as delivered, bonus excluded. */
  likes: number;
  /** Those beyond the free ones, and what they cost. */
  paidLikes: number;
  likesCents: number;
  /** What used credits cost. */
  creditsCents: number;
}

export interface MoneyBackRange {
  /** With all that is still under way delivered. */
  least: MoneyBackAmount;
  /** With nothing more delivered than now. */
  most: MoneyBackAmount;
}

/**
 * What money back returns (D5): everything charged, less the likes delivered beyond the first 2,500 at the
 * price of the plan each was ordered under, less used credits at 0.4 cents. Never below 0 and never more
 * than was charged. Costs are rounded up to the cent once each.
 */
export function moneyBack(facts: MoneyBackFacts): MoneyBackRange {
  return {
    least: amountOf(facts, ({ ordered, delivered, isFinal }) =>
      isFinal ? Math.min(delivered, ordered) : ordered,
    ),
    most: amountOf(facts, ({ ordered, delivered }) => Math.min(delivered, ordered)),
  };
}

function amountOf(
  { chargedCents, orders, hasFreeLikes, usedCredits }: MoneyBackFacts,
  countedLikes: (order: MoneyBackOrder) => number,
): MoneyBackAmount {
  const free = hasFreeLikes ? MONEY_BACK_FREE_LIKES : 0;
  let likes = 0;
  let cost = 0;
  for (const order of orders) {
    const before = Math.max(likes, free);
    likes += countedLikes(order);
    cost += likesCostCents(Math.max(0, likes - before), order);
  }
  const likesCents = wholeCents(cost);
  const creditsCents = wholeCents(creditsCostCents(usedCredits));
  return {
    cents: Math.max(0, chargedCents - likesCents - creditsCents),
    likes,
    paidLikes: Math.max(0, likes - free),
    likesCents,
    creditsCents,
  };
}

/** Rounded up; sums of thousands of fractions are off by less than a millionth. */
function wholeCents(cents: number): number {
  return Math.max(0, Math.ceil(cents - 1e-6));
}
