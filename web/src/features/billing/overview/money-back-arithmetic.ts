import type { MoneyBackQuote } from '#shared/contract/money/subscription.ts';
import { moneyBackArithmetic } from '#shared/domain/money/money-back-words.ts';
import { centsOf } from '#web/payments/price-words.ts';

/** How the amount of a money back comes about, as the wire tells it. */
export function arithmeticOf(quote: Omit<MoneyBackQuote, 'least' | 'most' | 'until'>): string {
  return moneyBackArithmetic({
    ...quote,
    chargedCents: centsOf(quote.charged),
    likesCents: centsOf(quote.likesCost),
    creditsCents: centsOf(quote.creditsCost),
  });
}
