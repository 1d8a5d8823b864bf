import type { ErrorCode } from '#shared/contract/error-code.ts';

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  card_declined:
    'The bank declined this card. You were not charged. Check the details or use another card.',
  insufficient_funds:
    'This card doesn’t have enough funds. You were not charged. Please use another card.',
  rate_limited: 'Too many tries. You were not charged. Please wait a few minutes.',
  overloaded: 'The server is busy. You were not charged. Please try again in a moment.',
};

/** What to say beside the button about a refused payment: what happened, what is safe, what to do. */
export function refusalSentence(code: ErrorCode, serverMessage: string): string {
  return SENTENCES[code] ?? serverMessage;
}
