import { MINUTE_MS } from '#shared/domain/durations.ts';
/** The delivery speeds a customer can pick (S§2), spelt as shown. */
export const DELIVERY_SPEEDS = [
  'Instant',
  '30 Min',
  '1 Hour',
  '2 Hours',
  '3 Hours',
  '4 Hours',
] as const;
export type DeliverySpeed = (typeof DELIVERY_SPEEDS)[number];

const SPREAD_MS: Record<Exclude<DeliverySpeed, 'Instant'>, number> = {
  '30 Min': 30 * MINUTE_MS,
  '1 Hour': 60 * MINUTE_MS,
  '2 Hours': 120 * MINUTE_MS,
  '3 Hours': 180 * MINUTE_MS,
  '4 Hours': 240 * MINUTE_MS,
};

/** Instant takes no longer (D7). */
export const INSTANT_MAX_MS = 10 * MINUTE_MS;
const INSTANT_MIN_MS = 20_000;
/** At Instant speed a small order is not stretched to ten minutes: 0.6 s a like, so 1,000 likes fill them. */
const INSTANT_MS_PER_LIKE = 600;

/**
 * Over how long the likes of one order arrive, in milliseconds. Instant: at most 10 minutes (D7),
 * less for small orders; the others: the time they are named for.
 */
export function spreadMs(speed: DeliverySpeed, likes: number): number {
  if (speed !== 'Instant') return SPREAD_MS[speed];
  return Math.min(INSTANT_MAX_MS, Math.max(INSTANT_MIN_MS, likes * INSTANT_MS_PER_LIKE));
}
