import { CARD_NUMBER_MAX_DIGITS, type CardBrand, cardBrand } from '#shared/domain/money/card.ts';

/** A card number as it is typed or pasted. */
interface TypedCardNumber {
  /** At most 16; a 17th is refused. */
  digits: string;
  isTooLong: boolean;
}

export function readCardNumber(typed: string): TypedCardNumber {
  const all = typed.replaceAll(/\D/g, '');
  return {
    digits: all.slice(0, CARD_NUMBER_MAX_DIGITS),
    isTooLong: all.length > CARD_NUMBER_MAX_DIGITS,
  };
}

const AMEX_GAPS = [4, 10];
const GAPS = [4, 8, 12];

/** The digits in the groups printed on the card: 4-4-4-4, or 4-6-5 for amex. */
export function spacedCardNumber(digits: string): string {
  const gaps = cardBrand(digits) === 'amex' ? AMEX_GAPS : GAPS;
  return Array.from(digits, (digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join(
    '',
  );
}

/**
 * Where the caret belongs after the text was spaced anew: behind as many digits as before, so that
 * typing in the middle of a number goes on where it was.
 */
export function caretAfterSpacing(typed: string, caret: number, spaced: string): number {
  const digitsBefore = typed.slice(0, caret).replaceAll(/\D/g, '').length;
  let seen = 0;
  for (let index = 0; index < spaced.length; index += 1) {
    if (seen === digitsBefore) return index;
    if (spaced[index] !== ' ') seen += 1;
  }
  return spaced.length;
}

export const BRAND_NAMES: Record<CardBrand, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  discover: 'Discover',
  amex: 'Amex',
};
