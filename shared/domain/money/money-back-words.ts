import { MONEY_BACK_FREE_LIKES } from './money-back.ts';
import { formatCents } from './money.ts';

/** What a money back was, or would be, computed from. */
export interface MoneyBackParts {
  chargedCents: number;
  hasFreeLikes: boolean;
  paidLikes: number;
  likesCents: number;
  /** Credits that leave the balance. */
  takenCredits: number;
  /** Credits the plan brought that are spent or held. */
  usedCredits: number;
  creditsCents: number;
}

/** A payout takes 7-10 business days (S§2). */
export const MONEY_REACHES_BANK = 'The money reaches your bank within 7 to 10 business days.';

/** A review takes 3-5 business days (S§2); approval comes by itself on the third day (D5). */
export const MONEY_BACK_TIMES = `We’ll usually approve it within 3 days; a review can take 3 to 5 business days. ${MONEY_REACHES_BANK}`;

/** "$9.86 to $17.00"; one amount where both are the same. */
export function amountRange(leastCents: number, mostCents: number): string {
  const least = formatCents(leastCents);
  return leastCents === mostCents ? least : `${least} to ${formatCents(mostCents)}`;
}

/** How the amount comes about, with the figures of this customer; the same in dialog, books and mail. */
export function moneyBackArithmetic(parts: MoneyBackParts): string {
  const { chargedCents, paidLikes, likesCents, takenCredits, usedCredits, creditsCents } = parts;
  const beyond = parts.hasFreeLikes
    ? ` beyond the first ${MONEY_BACK_FREE_LIKES.toLocaleString('en-US')}`
    : '';
  const deductions = [
    paidLikes > 0 &&
      `less ${formatCents(likesCents)} for ${counted(paidLikes, 'like')} delivered${beyond}`,
    usedCredits > 0 &&
      `less ${formatCents(creditsCents)} for ${counted(usedCredits, 'used credit')}`,
  ].filter((line) => line !== false);
  const charged = `${formatCents(chargedCents)} charged`;
  const sum =
    deductions.length === 0
      ? `Nothing is deducted from the ${charged}.`
      : `${[charged, ...deductions].join(', ')}.`;
  const taken =
    takenCredits > 0
      ? ` We take back the plan’s credits: ${takenCredits.toLocaleString('en-US')}.`
      : '';
  return `${sum}${taken}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
