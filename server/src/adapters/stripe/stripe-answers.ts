import * as v from 'valibot';
import {
  type BillingAddress,
  cardBrand,
  cardDigits,
  type CardBrand,
} from '#shared/domain/money/card.ts';
import type {
  ChargeMismatch,
  ChargeRequest,
  GatewayCharge,
  ListRequest,
  SavedCard,
  Unfinished,
} from './card-gateway.ts';
import { declineCode } from './stripe-failure.ts';

/** The parts of Stripe's answers this product reads; the package itself checks none of them. */
export const Identified = v.object({ id: v.pipe(v.string(), v.minLength(1)) });

export const DeletedCustomer = v.object({ ...Identified.entries, deleted: v.literal(true) });

const Address = v.object({
  line1: v.nullish(v.string()),
  line2: v.nullish(v.string()),
  city: v.nullish(v.string()),
  state: v.nullish(v.string()),
  postal_code: v.nullish(v.string()),
  country: v.nullish(v.string()),
});

export const CardMethod = v.object({
  ...Identified.entries,
  customer: v.nullish(v.string()),
  billing_details: v.nullish(
    v.object({ name: v.nullish(v.string()), address: v.nullish(Address) }),
  ),
  card: v.object({
    brand: v.string(),
    last4: v.string(),
    fingerprint: v.nullish(v.string()),
    exp_month: v.number(),
    exp_year: v.number(),
    wallet: v.nullish(v.object({ type: v.string() })),
  }),
});

export type CardMethod = v.InferOutput<typeof CardMethod>;

const IntentError = v.nullish(
  v.object({ code: v.nullish(v.string()), decline_code: v.nullish(v.string()) }),
);

/** What is asked of the customer, in their browser. */
const NextAction = v.nullish(
  v.object({ redirect_to_url: v.nullish(v.object({ url: v.nullish(v.string()) })) }),
);

/** The last try that got as far as a card's bank, where it is expanded. */
const IntentCharge = v.object({
  amount_refunded: v.number(),
  payment_method: v.nullish(v.string()),
});

export const Intent = v.object({
  ...Identified.entries,
  status: v.string(),
  amount: v.number(),
  currency: v.string(),
  customer: v.nullish(v.union([v.string(), Identified])),
  payment_method: v.nullish(v.union([v.string(), Identified])),
  metadata: v.optional(v.nullable(v.record(v.string(), v.string()))),
  last_payment_error: IntentError,
  next_action: NextAction,
  latest_charge: v.nullish(v.union([v.string(), IntentCharge])),
});
export type Intent = v.InferOutput<typeof Intent>;

export const SetupIntent = v.object({
  ...Identified.entries,
  status: v.string(),
  payment_method: v.nullish(v.union([v.string(), CardMethod])),
  last_setup_error: IntentError,
  next_action: NextAction,
});
export type SetupIntent = v.InferOutput<typeof SetupIntent>;

/** A page of the gateway's; with its intent once a card was entered. */
export const CardPage = v.object({
  ...Identified.entries,
  status: v.nullish(v.string()),
  url: v.nullish(v.string()),
  setup_intent: v.nullish(v.union([v.string(), SetupIntent])),
});

/** The currency of every charge. */
export const CURRENCY = 'usd';

const idOf = (named: string | { id: string } | null | undefined): string | undefined =>
  typeof named === 'object' ? named?.id : named;

/** Whether it was paid, or tried, with another card than was asked for. */
export function isOtherCard(
  intent: Pick<Intent, 'payment_method'>,
  { paymentMethodId }: { paymentMethodId: string },
): boolean {
  const paidWith = idOf(intent.payment_method);
  return paidWith !== undefined && paymentMethodId !== '' && paidWith !== paymentMethodId;
}

/**
 * Whether a browser has tried other cards on an intent that waits for a bank: the one it waits with isn't ours, or the one
 * that was declined before. Ours may have been declined: its bank can refuse it until its customer was asked.
 */
export function wasTriedOtherwise(intent: Intent, asked: { paymentMethodId: string }): boolean {
  const { latest_charge: tried } = intent;
  const declined = { payment_method: typeof tried === 'object' ? tried?.payment_method : null };
  return isOtherCard(intent, asked) || isOtherCard(declined, asked);
}

/** Where a paid intent isn't what was asked for; undefined where it is. */
export function mismatchOf(
  intent: Intent,
  asked: Pick<ChargeRequest, 'amountCents' | 'customerId'>,
): ChargeMismatch | undefined {
  const reason = [
    ['amount', asked.amountCents, intent.amount],
    ['currency', CURRENCY, intent.currency],
    ['customer', asked.customerId, idOf(intent.customer)],
  ]
    .filter(([, wanted, told]) => wanted !== told)
    .map(([what, wanted, told]) => `${what} ${wanted}, ${told ?? 'none'}`)
    .join('; ');
  return reason === '' ? undefined : { kind: 'mismatch', gatewayChargeId: intent.id, reason };
}

/** With the charges expanded, which know what was given back. */
export const BookPage = v.object({ data: v.array(Intent), has_more: v.boolean() });

export function toGatewayCharge(intent: Intent): GatewayCharge {
  const { latest_charge: charge } = intent;
  return {
    gatewayChargeId: intent.id,
    chargeId: intent.metadata?.['chargeId'],
    state: bookedState(intent),
    amountCents: intent.amount,
    refundedCents: charge && typeof charge === 'object' ? charge.amount_refunded : 0,
  };
}

/** What waits for the customer's bank may still be paid. */
function bookedState(intent: Intent): GatewayCharge['state'] {
  const { state } = intentState(intent);
  return state === 'needs_action' ? 'pending' : state;
}

export const IntentList = v.object({
  data: v.array(Intent),
  has_more: v.boolean(),
});

export const RefundAnswer = v.object({ ...Identified.entries, status: v.nullish(v.string()) });

export const RefundPage = v.object({
  data: v.array(
    v.object({
      ...RefundAnswer.entries,
      amount: v.number(),
      metadata: v.nullish(v.record(v.string(), v.string())),
      payment_intent: v.nullish(v.string()),
      created: v.optional(v.number(), 0),
    }),
  ),
  has_more: v.boolean(),
});

/** Parameters of one page of a list, newest first. */
export function pageOf({ since, after }: ListRequest): {
  limit: number;
  created: { gte: number };
  starting_after?: string;
} {
  return {
    limit: 100,
    created: { gte: Math.floor(since.getTime() / 1000) },
    ...(after !== undefined && { starting_after: after }),
  };
}

export const MethodList = v.object({ data: v.array(Identified) });

/** How an intent stands, of a charge or of a set-up. */
type IntentState = Unfinished | { state: 'succeeded' };

type IntentStatus = Pick<Intent, 'status' | 'next_action'> & {
  last_payment_error?: Intent['last_payment_error'];
  last_setup_error?: Intent['last_payment_error'];
};

/**
 * What isn't paid, on its way or with the customer's bank is a no. A bank that asks without saying where can't
 * be answered: such an intent is as good as refused.
 */
export function intentState(intent: IntentStatus): IntentState {
  const url = intent.next_action?.redirect_to_url?.url;
  const { code, decline_code: reason } = intent.last_payment_error ?? intent.last_setup_error ?? {};
  switch (intent.status) {
    case 'succeeded':
      return { state: 'succeeded' };
    case 'requires_action':
      return url
        ? { state: 'needs_action', url }
        : { state: 'declined', code: 'authentication_required' };
    case 'requires_payment_method':
      return { state: 'declined', code: declineCode(code, reason) };
    case 'canceled':
      return { state: 'declined', code: code ? declineCode(code, reason) : 'not_confirmed' };
    default:
      return { state: 'pending' };
  }
}

const BRANDS: readonly CardBrand[] = ['visa', 'mastercard', 'amex', 'discover'];

/**
 * What is kept of a card; undefined for a brand that isn't taken.
 * @param number where it was entered with us
 */
export function toSavedCard(method: CardMethod, number = ''): SavedCard | undefined {
  const { last4: lastDigits, fingerprint, exp_month: month, exp_year: year } = method.card;
  const brand =
    BRANDS.find((known) => known === method.card.brand) ?? cardBrand(cardDigits(number));
  if (!brand) return undefined;
  return {
    paymentMethodId: method.id,
    brand,
    lastDigits,
    holderName: method.billing_details?.name ?? '',
    address: toAddress(method.billing_details?.address),
    month,
    year,
    fingerprint: fingerprint ?? undefined,
  };
}

function toAddress(address: v.InferOutput<typeof Address> | null | undefined): BillingAddress {
  return {
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
    zip: address?.postal_code ?? '',
    country: address?.country ?? '',
  };
}
