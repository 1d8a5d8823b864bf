import {
  bankAsked,
  CARD_CHECKED,
  CARD_PAGE_ASKED,
  PAYMENT_CHECKED,
} from '#shared/contract/money/payment.ts';
import { dollarsFromCents, formatCents } from '#shared/domain/money/money.ts';
import { waitingTime } from '#server/identity/limits/rate-limit.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { BankDecline, NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import { confirmUntil } from './charge-clock.ts';
import type { CardSetupRow } from '../cards/card-setup.repository.ts';
import type { OpenCharge } from './charge.repository.ts';

/** Answers of a payment that several steps give; wording of S§8 where it has one. */

const CHECK_AGAIN_MS = 5000;

/** Whether the bank, or its customer, has said no; the other reasons are ours. */
export function isBankDecline(code: NoChargeCode | null) {
  return code !== null && code !== 'rejected' && code !== 'never_charged' && code !== 'abandoned';
}

/** The answer while nobody knows yet whether the gateway has charged. */
export function paymentBeingChecked(cause?: unknown): ApiError {
  return new ApiError('payment_unknown', PAYMENT_CHECKED, {
    retryAfterMs: CHECK_AGAIN_MS,
    cause,
  });
}

/** What the customer is told of a payment that isn't settled: their bank asks, or nobody knows for now. */
export function paymentOpen(open: OpenCharge): ApiError {
  if (open.state !== 'needs_action' || open.actionUrl === null) return paymentBeingChecked();
  const message = bankAsked(formatCents(open.amountCents));
  return new ApiError('payment_needs_action', message, {
    action: {
      paymentId: open.chargeId,
      url: open.actionUrl,
      amount: dollarsFromCents(open.amountCents),
      until: confirmUntil(open).toISOString(),
    },
  });
}

/** No money moves, but nobody knows yet which card is the saved one. */
export function cardBeingChecked(): ApiError {
  return new ApiError('payment_unknown', CARD_CHECKED, { retryAfterMs: CHECK_AGAIN_MS });
}

/** The same of a card that waits to become the saved one. */
export function cardOpen(open: CardSetupRow): ApiError {
  if (open.action_url === null) return cardBeingChecked();
  const isCardPage = open.payment_method_id === null;
  const message = isCardPage ? CARD_PAGE_ASKED : bankAsked('your card');
  return new ApiError('payment_needs_action', message, {
    action: {
      paymentId: open.id,
      url: open.action_url,
      isCardPage,
      amount: 0,
      until: confirmUntil({ createdAt: open.created_at }).toISOString(),
    },
  });
}

/** A definite no of the bank, or of its customer. @param cantPay the words for a card that can't */
export function paymentDeclined(
  code: BankDecline,
  cantPay = 'Unable to process the payment',
): ApiError {
  switch (code) {
    case 'card_invalid':
      return cardInvalid({ ccNum: 'Card number is invalid' });
    case 'card_disputed':
      return cardDisputed();
    case 'card_declined':
    case 'insufficient_funds':
      return new ApiError(code, cantPay);
    case 'authentication_required':
      return notConfirmed('Your bank wants you to confirm this payment.');
    case 'not_confirmed':
      return notConfirmed('Your bank didn’t confirm the payment.');
    case 'not_confirmed_in_time':
      return notConfirmed('The payment wasn’t confirmed at your bank in time.');
    case 'given_up':
      return notConfirmed('You canceled the payment.');
    default:
      return code satisfies never;
  }
}

/** The same of a card that was to become the saved one, for which nothing is charged. */
export function cardDeclined(code: BankDecline): ApiError {
  switch (code) {
    case 'authentication_required':
    case 'not_confirmed':
      return cardNotConfirmed('The card wasn’t confirmed.');
    case 'not_confirmed_in_time':
      return cardNotConfirmed('The card wasn’t confirmed in time.');
    case 'given_up':
      return cardNotConfirmed('Saving the card was canceled.');
    case 'card_declined':
    case 'insufficient_funds':
    case 'card_invalid':
    case 'card_disputed':
      return paymentDeclined(code);
    default:
      return code satisfies never;
  }
}

function cardNotConfirmed(because: string): ApiError {
  return new ApiError('payment_not_confirmed', `${because} Nothing was changed.`);
}

function notConfirmed(because: string): ApiError {
  return new ApiError('payment_not_confirmed', `${because} You were not charged.`);
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

/** Their money goes back each time. */
export function returnedTooOften(retryAfterMs: number): ApiError {
  return new ApiError(
    'payment_unavailable',
    `Several of your payments bought nothing, so we’re returning them. You were not charged now. You can pay again in ${waitingTime(retryAfterMs)}.`,
    { retryAfterMs },
  );
}

/** Each of them could still be paid with such a card. */
export function paymentsWait(): ApiError {
  return new ApiError(
    'payment_unavailable',
    'Several payments are still waiting for a bank. You were not charged. Please confirm or cancel one of them under Billing first.',
  );
}

export function tooManyCards(retryAfterMs: number): ApiError {
  return new ApiError(
    'payment_unavailable',
    `Too many new cards were entered today. You were not charged. Please use your saved card, or try again in ${waitingTime(retryAfterMs)}.`,
    { retryAfterMs },
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

/** Somebody removed the account while it was read for its first plan. */
export function accountRemoved(igUsername: string): ApiError {
  return new ApiError(
    'not_found',
    `@${igUsername} was removed before its plan could start. You were not charged.`,
  );
}

/** The account was taken or removed between payment and start: the money goes back by itself. */
export function paymentReturned(): ApiError {
  return new ApiError(
    'account_already_subscribed',
    'This account got a plan or was removed while you were paying. We’re returning your payment in full.',
  );
}

/** The same of anything else that couldn't be had any more. */
export function paymentCameTooLate(): ApiError {
  return new ApiError(
    'payment_unavailable',
    'Your payment arrived too late. We’re returning it in full.',
  );
}
