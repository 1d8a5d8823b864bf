import * as v from 'valibot';
import { parseOrderState } from '../domain/delivery/order-state.ts';

/**
 * The delivery provider's protocol, version 1: HTTP and JSON, every request and event signed with
 * `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256(secret, "t.METHOD.path?query.body")>`.
 * One child order is one `ref`; the same ref again gives the same answer and no more likes.
 */
export const SIGNATURE_HEADER = 'x-signature';
/** A signature older (or newer) than this is refused. */
export const SIGNATURE_MAX_AGE_SECONDS = 300;
/** Most orders, or refs, in one call. */
export const PROVIDER_BATCH_MAX = 100;

/** What is signed. `path` is the path with its query string, exactly as sent. */
export function signaturePayload(
  unixSeconds: number,
  method: string,
  path: string,
  body: string,
): string {
  return `${unixSeconds}.${method.toUpperCase()}.${path}.${body}`;
}

/** Reads `t=...,v1=...`; undefined when it is not of that form. */
export function parseSignature(header: string): { unixSeconds: number; hex: string } | undefined {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header);
  if (!match?.[1] || !match[2]) return undefined;
  return { unixSeconds: Number(match[1]), hex: match[2] };
}

/** Counts and numbers of changes are below 2^31, far above what one post gets. */
const COUNT_MAX = 2_147_483_647;
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(COUNT_MAX));

export const ProviderOrder = v.object({
  ref: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  igId: v.string(),
  mediaId: v.string(),
  shortcode: v.string(),
  likes: count,
  views: count,
  /** ISO instants between which the provider spreads the order. */
  startAt: v.pipe(v.string(), v.isoTimestamp()),
  finishBy: v.pipe(v.string(), v.isoTimestamp()),
});
export type ProviderOrder = v.InferOutput<typeof ProviderOrder>;

export const REFUSAL_REASONS = ['media_gone', 'invalid_order', 'no_members', 'conflict'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export const PlaceOrdersAnswer = v.object({
  results: v.array(
    v.variant('result', [
      v.object({ ref: v.string(), result: v.literal('accepted') }),
      v.object({
        ref: v.string(),
        result: v.literal('refused'),
        /** One of REFUSAL_REASONS, or a word of the provider's own. */
        reason: v.string(),
      }),
    ]),
  ),
});
export type PlaceOrdersAnswer = v.InferOutput<typeof PlaceOrdersAnswer>;

/** The state of one order; the same object in polls, cancel answers and events. */
export const ProviderProgress = v.object({
  ref: v.string(),
  /** Rises with every change of the order; a smaller or equal one is old news. */
  seq: count,
  status: v.pipe(
    v.string(),
    v.transform(parseOrderState),
    v.check((state) => state !== undefined, 'isn’t an order state we know'),
    v.transform((state) => state ?? 'Pending'),
  ),
  /** Likes the post had when the provider started; null before it started or when likes are hidden. */
  startCount: v.nullable(count),
  delivered: count,
  views: count,
  remains: count,
});
export type ProviderProgress = v.InferOutput<typeof ProviderProgress>;

export const ProgressAnswer = v.object({ orders: v.array(ProviderProgress) });
export const CancelRequest = v.object({
  refs: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(PROVIDER_BATCH_MAX)),
});
export const CapacityAnswer = v.object({
  members: count,
  perHour: count,
  backlogMinutes: v.pipe(v.number(), v.minValue(0)),
});
export type Capacity = v.InferOutput<typeof CapacityAnswer>;

/** A list of states whose orders are judged one by one. */
const unjudged = v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(PROVIDER_BATCH_MAX));
export const UnjudgedEvents = v.object({ orders: unjudged });

/** `POST {PUBLIC_URL}/provider/events`: may arrive twice, late or out of order. */
export const ProviderEvents = v.object({
  orders: v.pipe(v.array(ProviderProgress), v.minLength(1), v.maxLength(PROVIDER_BATCH_MAX)),
});
