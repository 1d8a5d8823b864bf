import type { BillingInfo } from '#shared/contract/user.ts';
import { maskCardNumber } from '#shared/domain/card.ts';
import type { CardRow } from './card.repository.ts';

const AMEX_DIGITS = 15;

/** A saved card as customers see it: the number masked but for its last 3 digits. */
export function viewCard(
  card: Pick<CardRow, 'brand' | 'last_digits' | 'holder_name' | 'exp_month' | 'exp_year'>,
): BillingInfo {
  return {
    ccNum:
      card.brand === 'amex'
        ? maskCardNumber(card.last_digits, AMEX_DIGITS)
        : maskCardNumber(card.last_digits),
    ccName: card.holder_name,
    ccMonth: String(card.exp_month).padStart(2, '0'),
    ccYear: String(card.exp_year),
  };
}
