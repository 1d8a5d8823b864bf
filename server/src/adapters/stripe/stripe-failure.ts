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

/** The gateway's many words as the three things a customer can do something about. */
export function declineCode(
  code: string | null | undefined,
  reason: string | null | undefined,
): DeclineCode {
  if (reason === 'insufficient_funds' || code === 'insufficient_funds') return 'insufficient_funds';
  const isInvalid = [code, reason].some((each) => CARD_INVALID_CODES.has(each ?? ''));
  return isInvalid ? 'card_invalid' : 'card_declined';
}
