import type { PaidFor } from '#shared/contract/money/payment.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { PaymentEnd } from './use-payment-state.ts';

/** As long as a bank may take; what is further off, or past, is the fault of a clock here. */
const LONGEST_MS = 60 * MINUTE_MS;

/**
 * How long a payment can still be confirmed, for people: "59 minutes". Undefined where this computer's clock can't
 * tell; whether it is over the server says.
 */
export function timeLeft(until: string, nowMs: number): string | undefined {
  const leftMs = Date.parse(until) - nowMs;
  if (leftMs <= 0 || leftMs > LONGEST_MS) return undefined;
  const minutes = Math.floor(leftMs / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** What stands there after the person ended a payment that waited for the bank. */
const GIVEN_UP = 'You didn’t confirm the payment, so you were not charged.';
const CARD_GIVEN_UP = 'You didn’t confirm the card, so nothing was changed.';

/** What a payment that waited for the bank left behind, in a sentence; undefined: it is paid. */
export function endInWords(end: PaymentEnd, isGivenUp: boolean): string | undefined {
  if (end.kind === 'paid') return undefined;
  if (end.kind !== 'declined' || !isGivenUp) return end.message;
  return end.what === 'card' ? CARD_GIVEN_UP : GIVEN_UP;
}

/** What a payment is for, for people: "Plan for @ada". */
export function paidForInWords(what: PaidFor, igUsername: string | undefined): string {
  const account = igUsername === undefined ? '' : ` for @${igUsername}`;
  switch (what) {
    case 'subscription':
      return `Plan${account}`;
    case 'plan_change':
      return `Plan change${account}`;
    case 'credits':
      return 'Credits';
    case 'renewal':
      return `Plan renewal${account}`;
    case 'card':
      return 'New card';
  }
}

const REFUSED: Readonly<Partial<Record<PaidFor, string>>> = {
  credits: 'Unable to process payment',
  card: 'Unable to save the card',
};

/** That the bank said no, as its checkout says it (S§8). */
export const refusedInWords = (what: PaidFor): string =>
  REFUSED[what] ?? 'Unable to process the payment';
