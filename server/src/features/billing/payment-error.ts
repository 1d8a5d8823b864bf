import { ApiError } from '../../api-error.ts';
import { BANK_DECLINES, type BankDecline, type NoChargeCode } from './charge.table.ts';

/** Answers of a payment that several steps give; wording of S§8 where it has one. */

export function isBankDecline(code: NoChargeCode | null): code is BankDecline {
  return code !== null && (BANK_DECLINES as readonly string[]).includes(code);
}

/** A definite no of the bank. */
export function paymentDeclined(code: BankDecline): ApiError {
  if (code === 'card_invalid') return cardInvalid({ ccNum: 'Card number is invalid' });
  if (code === 'card_disputed') return cardDisputed();
  return new ApiError(code, 'Unable to process the payment');
}

/** A payment with the card is disputed, or its bank has taken one back. */
export function cardDisputed(): ApiError {
  return new ApiError(
    'card_disputed',
    'A payment with this card was disputed at the bank, so it can’t be used here. You were not charged. Please use another card.',
  );
}

/** The gateway can't be used, and nothing was charged. */
export function paymentUnavailable(): ApiError {
  return new ApiError(
    'payment_unavailable',
    'Payments aren’t working right now. You were not charged. Please try again in a few minutes.',
  );
}

export function cardInvalid(fields: { ccNum: string } | { ccMonth: string }): ApiError {
  const [message = ''] = Object.values(fields);
  return new ApiError('card_invalid', message, { fields });
}

export function accountAlreadySubscribed(igUsername: string): ApiError {
  return new ApiError(
    'account_already_subscribed',
    `@${igUsername} already has a plan, and an account can have only one. You were not charged.`,
  );
}

/** Says nothing of whoever has it: a stranger asks, too. */
export function ownershipNeeded(igUsername: string): ApiError {
  return new ApiError(
    'account_already_subscribed',
    `@${igUsername} can’t get a plan here until you prove that it’s yours. You were not charged.`,
  );
}

export function ownedByOthers(igUsername: string): ApiError {
  return new ApiError(
    'account_already_subscribed',
    `In the last 180 days, someone else proved that @${igUsername} is theirs, so it can’t get a plan here. You were not charged.`,
  );
}

/** The account was taken between payment and start: the money goes back by itself. */
export function paymentReturned(): ApiError {
  return new ApiError(
    'account_already_subscribed',
    'This account got a plan while you were paying. We’re returning your payment in full.',
  );
}
