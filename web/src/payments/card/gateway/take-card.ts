import type { PaymentMethodResult, Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { withinTime } from '#web/platform/async.ts';
import { refusalSentence } from '../../refusal-sentence.ts';
import type { CardValues } from '../card-values.ts';
import type { TakenCard } from '../use-card-form.ts';
import { errorsOfCode } from './gateway-codes.ts';

/** A gateway that is slower than this isn't waited for. */
const ANSWER_MS = 30_000;
const NO_ANSWER =
  'We couldn’t reach the payment gateway. You were not charged. Please try again in a moment.';

/** Has the gateway keep the card that stands in its fields, and gives its word for it. */
export async function takeCard(
  stripe: Stripe,
  card: StripeCardNumberElement,
  holder: CardValues,
): Promise<TakenCard> {
  try {
    const making = stripe.createPaymentMethod({
      type: 'card',
      card,
      billing_details: billingDetails(holder),
    });
    return readMade(await withinTime(making, ANSWER_MS, undefined));
  } catch {
    return unanswered;
  }
}

const unanswered: TakenCard = { kind: 'refused', errors: {}, problem: NO_ANSWER };

function readMade(made: PaymentMethodResult | undefined): TakenCard {
  if (!made) return unanswered;
  const { paymentMethod, error } = made;
  if (paymentMethod) return { kind: 'card', card: { confirmationToken: paymentMethod.id } };
  const errors = errorsOfCode(error.code);
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors };
  if (error.type !== 'card_error') return unanswered;
  return { kind: 'refused', errors: {}, problem: refusalSentence('card_declined', '') };
}

function billingDetails({ ccName, phone, address, apartment, ...rest }: CardValues) {
  const { city, state, zip, country } = rest;
  return {
    name: ccName.trim(),
    phone,
    address: { line1: address, line2: apartment, city, state, postal_code: zip, country },
  };
}
