/** Card checks shared by the form and the server (S§5, D4). None of them stores or logs anything. */
export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover';

export const CARD_BRAND_NAMES: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
};

export const CARD_NUMBER_MAX_DIGITS = 16;
export const CARD_YEARS = { first: 2024, last: 2034 } as const;

const BRANDS: ReadonlyArray<readonly [CardBrand, RegExp, number]> = [
  ['visa', /^4/, 16],
  ['mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 16],
  ['amex', /^3[47]/, 15],
  ['discover', /^(6011|65|64[4-9])/, 16],
];

/** As it was entered with a card. */
export interface BillingAddress {
  line1: string;
  line2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

/** The digits of a card number as typed, spaces and hyphens dropped. */
export function cardDigits(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

export function cardBrand(digits: string): CardBrand | undefined {
  return BRANDS.find(([, prefix]) => prefix.test(digits))?.[0];
}

/** Luhn check and the brand's length. */
export function isCardNumber(digits: string): boolean {
  const brand = BRANDS.find(([, prefix]) => prefix.test(digits));
  if (!/^\d+$/.test(digits) || !brand || digits.length !== brand[2]) return false;
  return passesLuhn(digits);
}

/** Whether the last digit is the check digit of those before it. */
export function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** CVV: 3 digits, 4 for amex; either when the brand is unknown. */
export function isCvv(text: string, brand: CardBrand | undefined): boolean {
  if (brand === undefined) return /^\d{3,4}$/.test(text);
  return brand === 'amex' ? /^\d{4}$/.test(text) : /^\d{3}$/.test(text);
}

/** Whether a card is past its month; the very month is still good. Months are 1-12. */
export function isCardExpired(
  card: { month: number; year: number },
  today: { month: number; year: number },
): boolean {
  return card.year < today.year || (card.year === today.year && card.month < today.month);
}

/** A card number with all but the last 3 characters hidden. */
export function maskCardNumber(lastDigits: string, length = CARD_NUMBER_MAX_DIGITS): string {
  return lastDigits.slice(-3).padStart(length, '•');
}
