import { Stripe } from 'stripe';
import * as v from 'valibot';
import { parseJson } from '../http/json-body.ts';

/** What an event of the gateway is about, by the gateway's ids. What has happened is read, never believed. */
export type GatewayNews =
  /** `chargeId`: ours, as it went along with the charge. */
  | { kind: 'charge'; gatewayChargeId: string; chargeId: string | undefined }
  /** `setUpId`: ours, as it went along with the set-up. */
  | { kind: 'set_up'; gatewaySetUpId: string; setUpId: string | undefined }
  /** A refund or a dispute. */
  | { kind: 'returned'; gatewayChargeId: string }
  /** A saved card got another number or date from its bank. */
  | { kind: 'card'; paymentMethodId: string }
  | { kind: 'other' };

export interface GatewayEvent {
  eventId: string;
  isLive: boolean;
  /** Set: of another account that the gateway lets this one act for. */
  account: string | undefined;
  news: GatewayNews;
}

/** The events that are read, and what each is about. */
const NEWS: Readonly<Record<string, Exclude<GatewayNews['kind'], 'other'>>> = {
  'payment_intent.succeeded': 'charge',
  'payment_intent.payment_failed': 'charge',
  'payment_intent.requires_action': 'charge',
  'payment_intent.canceled': 'charge',
  'setup_intent.succeeded': 'set_up',
  'setup_intent.setup_failed': 'set_up',
  'setup_intent.requires_action': 'set_up',
  'checkout.session.completed': 'set_up',
  'checkout.session.expired': 'set_up',
  'charge.refunded': 'returned',
  'refund.created': 'returned',
  'refund.updated': 'returned',
  'refund.failed': 'returned',
  'charge.dispute.created': 'returned',
  'charge.dispute.updated': 'returned',
  'charge.dispute.closed': 'returned',
  'charge.dispute.funds_withdrawn': 'returned',
  'charge.dispute.funds_reinstated': 'returned',
  'payment_method.automatically_updated': 'card',
  'payment_method.updated': 'card',
};
/** What the gateway's endpoint of ours has to send. */
export const READ_EVENTS: readonly string[] = Object.keys(NEWS);

export const EVENT_SIGNATURE = 'stripe-signature';
/** Older ones may be somebody's recording. */
const TOLERANCE_SECONDS = 300;

const Event = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  type: v.string(),
  livemode: v.optional(v.boolean(), false),
  account: v.nullish(v.string()),
  data: v.object({
    object: v.object({
      id: v.nullish(v.string()),
      payment_intent: v.nullish(v.union([v.string(), v.object({ id: v.string() })])),
      metadata: v.nullish(v.record(v.string(), v.unknown())),
    }),
  }),
});

type ReadEvent =
  | { kind: 'event'; event: GatewayEvent }
  | { kind: 'forged'; reason: 'signature_missing' | 'signature_wrong' | 'signature_old' }
  /** Signed, but not what an event looks like. */
  | { kind: 'unreadable' };

/** Reads a raw body that is signed with one of the secrets, at most 5 minutes ago. */
export function readEvent(message: {
  body: string;
  signature: string | undefined;
  secrets: readonly string[];
  nowMs: number;
}): ReadEvent {
  const { signature, secrets } = message;
  if (!signature) return { kind: 'forged', reason: 'signature_missing' };
  const signed = secrets.filter((secret) => isSigned(message, secret, 0));
  if (signed.length === 0) return { kind: 'forged', reason: 'signature_wrong' };
  if (!signed.some((secret) => isSigned(message, secret, TOLERANCE_SECONDS))) {
    return { kind: 'forged', reason: 'signature_old' };
  }
  const event = v.safeParse(Event, parseJson(message.body));
  return event.success ? { kind: 'event', event: toEvent(event.output) } : { kind: 'unreadable' };
}

/** The header of a body that is sent now. */
export function signEvent(body: string, secret: string, nowMs: number): string {
  const timestamp = Math.floor(nowMs / 1000);
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}

/** A tolerance of 0 asks for no age. */
function isSigned(
  { body, signature = '', nowMs }: { body: string; signature?: string | undefined; nowMs: number },
  secret: string,
  tolerance: number,
): boolean {
  try {
    const { signature: proof } = Stripe.webhooks;
    return proof?.verifyHeader(body, signature, secret, tolerance, undefined, nowMs) === true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

function toEvent(event: v.InferOutput<typeof Event>): GatewayEvent {
  const { id: eventId, livemode: isLive, account } = event;
  return { eventId, isLive, account: account ?? undefined, news: newsOf(event) };
}

function newsOf({ type, data }: v.InferOutput<typeof Event>): GatewayNews {
  const { id, payment_intent: intent, metadata } = data.object;
  const kind = Object.hasOwn(NEWS, type) ? NEWS[type] : undefined;
  const paidBy = typeof intent === 'object' ? intent?.id : intent;
  if (kind === 'returned') {
    return paidBy ? { kind, gatewayChargeId: paidBy } : { kind: 'other' };
  }
  if (kind === undefined || !id) return { kind: 'other' };
  switch (kind) {
    case 'charge':
      return { kind, gatewayChargeId: id, chargeId: textIn(metadata, 'chargeId') };
    case 'set_up':
      return { kind, gatewaySetUpId: id, setUpId: textIn(metadata, 'setUpId') };
    case 'card':
      return { kind, paymentMethodId: id };
    default:
      return kind satisfies never;
  }
}

function textIn(
  metadata: Record<string, unknown> | null | undefined,
  name: string,
): string | undefined {
  const value = metadata?.[name];
  return typeof value === 'string' ? value : undefined;
}
