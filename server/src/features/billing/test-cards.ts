/**
 * The published test cards (D4). Until the browser tokenises cards itself, every other number is
 * refused: a real card has no business in this server’s memory.
 */
export const PUBLISHED_CARDS: ReadonlySet<string> = new Set([
  // These pay.
  '4242424242424242',
  '5555555555554444',
  '6011111111111117',
  '378282246310005',
  // Declined; insufficient funds; saves but later charges fail; times out after charging.
  '4000000000000002',
  '4000000000009995',
  '4000000000000341',
  '4000000000000119',
]);

export function isTestCard(digits: string): boolean {
  return PUBLISHED_CARDS.has(digits);
}
