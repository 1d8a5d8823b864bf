import { Stripe } from 'stripe';
import type { DeclineCode, GatewayOutcome } from './card-gateway.ts';

export type GatewayFailure = Exclude<GatewayOutcome<never>, { kind: 'done' }>;

const CARD_INVALID_CODES: ReadonlySet<string> = new Set([
  'incorrect_number',
  'invalid_number',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'expired_card',
  'incorrect_cvc',
  'invalid_cvc',
  'incorrect_zip',
  'incorrect_address',
]);
/** Refusals that may turn out otherwise for the same key: in progress elsewhere, or too many calls. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * What a thrown error of the stripe package says about the money. Only a card error or a refused request
 * is a definite no; everything else may have taken effect.
 */
export function toFailure(error: unknown): GatewayFailure {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { kind: 'unknown', reason: error instanceof Error ? error.name : 'error' };
  }
  if (error instanceof Stripe.errors.StripeCardError || error.rawType === 'card_error') {
    return { kind: 'declined', code: declineCode(error.code, error.decline_code) };
  }
  const { statusCode = 0, code } = error;
  const reason = code ?? error.rawType ?? (statusCode ? `http_${statusCode}` : error.type);
  const isRefused = statusCode >= 400 && statusCode < 500 && !PASSING_STATUSES.has(statusCode);
  return { kind: isRefused ? 'rejected' : 'unknown', reason };
}

/** The same in a word, where nothing is made of it. */
export function failureReason(error: unknown): string {
  const failure = toFailure(error);
  return 'reason' in failure ? failure.reason : failure.code;
}

/** Codes of a charge, of a set-up, and of a decline. */
const NOT_CONFIRMED_CODES: ReadonlySet<string> = new Set([
  'payment_intent_authentication_failure',
  'setup_intent_authentication_failure',
  'authentication_failure',
  'payment_intent_payment_attempt_expired',
  'setup_intent_setup_attempt_expired',
]);

/** The gateway's many words as the few things a customer can do something about. */
export function declineCode(
  code: string | null | undefined,
  reason: string | null | undefined,
): DeclineCode {
  if (reason === 'insufficient_funds' || code === 'insufficient_funds') return 'insufficient_funds';
  if (code === 'authentication_required' || reason === 'authentication_required') {
    return 'authentication_required';
  }
  if (NOT_CONFIRMED_CODES.has(code ?? '')) return 'not_confirmed';
  const isInvalid = [code, reason].some((each) => CARD_INVALID_CODES.has(each ?? ''));
  return isInvalid ? 'card_invalid' : 'card_declined';
}

/** What was asked can't be done to the object as it is, such as cancelling what has ended; and never could be. */
export function isRefusedRequest(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.statusCode === 400 &&
    error.code !== 'resource_missing'
  );
}
