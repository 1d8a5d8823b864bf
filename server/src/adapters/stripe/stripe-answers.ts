import * as v from 'valibot';
import { cardBrand, cardDigits, type CardBrand } from '#shared/domain/card.ts';
import type {
  ChargeMismatch,
  ChargeRequest,
  GatewayCharge,
  ListRequest,
  SavedCard,
} from './card-gateway.ts';

/** The parts of Stripe's answers this product reads; the package itself checks none of them. */
export const Identified = v.object({ id: v.pipe(v.string(), v.minLength(1)) });

export const DeletedCustomer = v.object({ ...Identified.entries, deleted: v.literal(true) });

export const CardMethod = v.object({
  ...Identified.entries,
  card: v.object({
    brand: v.string(),
    last4: v.string(),
    fingerprint: v.nullish(v.string()),
  }),
});

export const Intent = v.object({
  ...Identified.entries,
  status: v.string(),
  amount: v.number(),
  currency: v.string(),
  customer: v.nullish(v.union([v.string(), Identified])),
  metadata: v.optional(v.nullable(v.record(v.string(), v.string()))),
  last_payment_error: v.optional(
    v.nullable(
      v.object({
        code: v.optional(v.nullable(v.string())),
        decline_code: v.optional(v.nullable(v.string())),
      }),
    ),
  ),
});
export type Intent = v.InferOutput<typeof Intent>;

/** The currency of every charge. */
export const CURRENCY = 'usd';

/** Where a paid intent isn't what was asked for; undefined where it is. */
export function mismatchOf(
  intent: Intent,
  asked: Pick<ChargeRequest, 'amountCents' | 'customerId'>,
): ChargeMismatch | undefined {
  const customer = typeof intent.customer === 'object' ? intent.customer?.id : intent.customer;
  const reason = [
    ['amount', asked.amountCents, intent.amount],
    ['currency', CURRENCY, intent.currency],
    ['customer', asked.customerId, customer],
  ]
    .filter(([, wanted, told]) => wanted !== told)
    .map(([what, wanted, told]) => `${what} ${wanted}, ${told ?? 'none'}`)
    .join('; ');
  return reason === '' ? undefined : { kind: 'mismatch', gatewayChargeId: intent.id, reason };
}

/** An intent with its charge expanded, which knows what was given back. */
export const BookedIntent = v.object({
  ...Intent.entries,
  latest_charge: v.nullish(v.union([v.string(), v.object({ amount_refunded: v.number() })])),
});

export const BookPage = v.object({ data: v.array(BookedIntent), has_more: v.boolean() });

export function toGatewayCharge(intent: v.InferOutput<typeof BookedIntent>): GatewayCharge {
  const { latest_charge: charge } = intent;
  return {
    gatewayChargeId: intent.id,
    chargeId: intent.metadata?.['chargeId'],
    state: intentState(intent),
    amountCents: intent.amount,
    refundedCents: charge && typeof charge === 'object' ? charge.amount_refunded : 0,
  };
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

/** The state of the money of an intent. Off-session intents wait for nobody, so what isn't paid or on its way is a no. */
export function intentState({ status }: Intent): 'succeeded' | 'declined' | 'pending' {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'requires_payment_method':
    case 'requires_action':
    case 'canceled':
      return 'declined';
    default:
      return 'pending';
  }
}

const BRANDS: readonly CardBrand[] = ['visa', 'mastercard', 'amex', 'discover'];

/** What is kept of a card; undefined for a brand that isn't taken. */
export function toSavedCard(
  method: v.InferOutput<typeof CardMethod>,
  number: string,
): SavedCard | undefined {
  const brand =
    BRANDS.find((known) => known === method.card.brand) ?? cardBrand(cardDigits(number));
  if (!brand) return undefined;
  const { last4: lastDigits, fingerprint } = method.card;
  return { paymentMethodId: method.id, brand, lastDigits, fingerprint: fingerprint ?? undefined };
}
