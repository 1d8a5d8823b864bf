/** How a card behaves; this and the last four digits are all that is kept of a number. */
export type CardBehaviour =
  | 'pays'
  /** Refused when it is saved and when it is charged. */
  | 'declined'
  /** Saved; refused when it is charged. */
  | 'insufficient_funds'
  | 'fails_when_charged'
  /** Charged, but the answer of a charge never comes; the same idempotency key gets it. */
  | 'answers_never';

export interface TestCard {
  brand: 'visa' | 'mastercard' | 'discover' | 'amex';
  behaviour: CardBehaviour;
}

const CARDS = new Map<string, TestCard>([
  ['4242424242424242', { brand: 'visa', behaviour: 'pays' }],
  ['5555555555554444', { brand: 'mastercard', behaviour: 'pays' }],
  ['6011111111111117', { brand: 'discover', behaviour: 'pays' }],
  ['378282246310005', { brand: 'amex', behaviour: 'pays' }],
  ['4000000000000002', { brand: 'visa', behaviour: 'declined' }],
  ['4000000000009995', { brand: 'visa', behaviour: 'insufficient_funds' }],
  ['4000000000000341', { brand: 'visa', behaviour: 'fails_when_charged' }],
  ['4000000000000119', { brand: 'visa', behaviour: 'answers_never' }],
]);

/** The published test card of that number; any other number, real ones included, is none. */
export function findTestCard(number: string): TestCard | undefined {
  return CARDS.get(number.replaceAll(/[\s-]/g, ''));
}
