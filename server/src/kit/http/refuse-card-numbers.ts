import { holdsCardNumber } from '#shared/domain/money/card-number.ts';
import { ApiError } from '../api-error.ts';
import type { Settings } from '../settings.ts';

/** What a card's own fields are called (S§7), also by whom writes a hyphen before them. */
const CARD_FIELDS = /^-?(?:ccNum|cvv)$/;

/**
 * Where cards are entered in the gateway's own fields none ever passes here: whoever sends one is told so
 * before anything reads, keeps or logs what was sent. @throws ApiError `card_not_taken`
 */
export function refuseCardNumbers(
  { cardEntry }: Pick<Settings, 'cardEntry'>,
  received: Readonly<Record<string, unknown>>,
): void {
  if (cardEntry.way === 'form') return;
  if (Object.keys(received).some((name) => CARD_FIELDS.test(name))) {
    throw new ApiError(
      'card_not_taken',
      'Card details don’t go through our server. Please reload the page and enter the card in the payment fields.',
    );
  }
  if (!holdsCardNumber(received)) return;
  throw new ApiError(
    'card_not_taken',
    'That looks like a card number. Card details don’t go through our server, so please take it out.',
  );
}
