import { Stripe } from 'stripe';
import * as v from 'valibot';
import { cardDigits } from '#shared/domain/money/card.ts';
import type {
  CardDetails,
  CardGateway,
  FindCardOutcome,
  GatewayOutcome,
  SavedCard,
} from './card-gateway.ts';
import {
  CardMethod,
  DeletedCustomer,
  Identified,
  MethodList,
  toSavedCard,
} from './stripe-answers.ts';
import { isRefusedRequest } from './stripe-failure.ts';

/** A customer has a handful of cards; more pages of 100 than this would be an endless list. */
const DETACH_PAGES_MAX = 20;

/** Calls with keys of their own, so that repeating the whole repeats none of them. */
export async function saveCard(
  stripe: Stripe,
  { key, customerId, card }: Parameters<CardGateway['saveCard']>[0],
): Promise<GatewayOutcome<SavedCard>> {
  const isToken = 'token' in card;
  const method = isToken
    ? await findMethod(stripe, card.token)
    : await createMethod(stripe, key, card);
  const owner = method?.customer ?? undefined;
  const saved = method && toSavedCard(method, isToken ? '' : card.number);
  // A token of this very customer: the same attempt, whose process died after it was attached.
  if (!saved || (owner !== undefined && owner !== customerId)) {
    return { kind: 'declined', code: 'card_invalid' };
  }
  if (owner !== undefined) return { kind: 'done', ...saved };
  try {
    const params = { customer: customerId };
    const options = { idempotencyKey: `${key}:attach` };
    const attached = await stripe.paymentMethods.attach(saved.paymentMethodId, params, options);
    v.parse(Identified, attached);
  } catch (error) {
    // Used once without a customer, or too old, which is as if it had never been.
    const isOver = isRefusedRequest(error) || (isMissing(error) && error.param !== 'customer');
    if (isToken && isOver) return { kind: 'declined', code: 'card_invalid' };
    throw error;
  }
  return { kind: 'done', ...saved };
}

export async function findCard(
  stripe: Stripe,
  { customerId, paymentMethodId }: Parameters<CardGateway['findCard']>[0],
): Promise<FindCardOutcome> {
  const method = await findMethod(stripe, paymentMethodId);
  const card = method?.customer === customerId ? toSavedCard(method) : undefined;
  return card ? { kind: 'found', card } : { kind: 'absent' };
}

async function createMethod(stripe: Stripe, key: string, card: CardDetails): Promise<CardMethod> {
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
  return v.parse(CardMethod, created);
}

/** @returns undefined: no such token, or it is no card's */
async function findMethod(stripe: Stripe, token: string): Promise<CardMethod | undefined> {
  try {
    const found = await stripe.paymentMethods.retrieve(token);
    return found.type === 'card' ? v.parse(CardMethod, found) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
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
function isMissing(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}
