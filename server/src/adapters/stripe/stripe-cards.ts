import { Stripe } from 'stripe';
import * as v from 'valibot';
import { cardDigits } from '#shared/domain/card.ts';
import type { CardDetails, GatewayOutcome, SavedCard } from './card-gateway.ts';
import {
  CardMethod,
  DeletedCustomer,
  Identified,
  MethodList,
  toSavedCard,
} from './stripe-answers.ts';

/** A customer has a handful of cards; more pages of 100 than this would be an endless list. */
const DETACH_PAGES_MAX = 20;

/** Two calls with a key of their own each, so that repeating the whole repeats neither. */
export async function saveCard(
  stripe: Stripe,
  request: { key: string; customerId: string; card: CardDetails },
): Promise<GatewayOutcome<SavedCard>> {
  const { key, customerId: customer, card } = request;
  const created = await stripe.paymentMethods.create(
    {
      type: 'card',
      card: {
        number: cardDigits(card.number),
        exp_month: card.month,
        exp_year: card.year,
        cvc: card.cvv,
      },
      billing_details: billingDetails(card),
    },
    { idempotencyKey: `${key}:create` },
  );
  const saved = toSavedCard(v.parse(CardMethod, created), card.number);
  if (!saved) return { kind: 'declined', code: 'card_invalid' };
  const attached = await stripe.paymentMethods.attach(
    saved.paymentMethodId,
    { customer },
    { idempotencyKey: `${key}:attach` },
  );
  v.parse(Identified, attached);
  return { kind: 'done', ...saved };
}

function billingDetails({
  name,
  phone,
  address,
}: CardDetails): Stripe.PaymentMethodCreateParams.BillingDetails {
  const { line1, line2, city, state, zip, country } = address;
  return {
    name,
    ...(phone && { phone }),
    address: {
      line1,
      city,
      postal_code: zip,
      country,
      ...(line2 && { line2 }),
      ...(state && { state }),
    },
  };
}

/** Cards that are detached are listed no more, so the first page is asked for until it is empty. */
export async function detachCards(
  stripe: Stripe,
  { customerId }: { customerId: string },
): Promise<GatewayOutcome<{ detached: number }>> {
  let detached = 0;
  for (let page = 0; page < DETACH_PAGES_MAX; page += 1) {
    const methods = await listMethods(stripe, customerId);
    if (methods.length === 0) return { kind: 'done', detached };
    for (const { id } of methods) {
      v.parse(Identified, await stripe.paymentMethods.detach(id));
      detached += 1;
    }
  }
  return { kind: 'unknown', reason: 'too_many_cards' };
}

async function listMethods(stripe: Stripe, customerId: string): Promise<Array<{ id: string }>> {
  try {
    const answer = await stripe.customers.listPaymentMethods(customerId, { limit: 100 });
    return v.parse(MethodList, answer).data;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function deleteCustomer(
  stripe: Stripe,
  { customerId }: { customerId: string },
): Promise<GatewayOutcome<object>> {
  try {
    v.parse(DeletedCustomer, await stripe.customers.del(customerId));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return { kind: 'done' };
}

/** By the gateway's own word: an address it doesn't serve is 404 too. */
function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}
