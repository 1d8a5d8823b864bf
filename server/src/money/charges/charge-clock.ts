import { backoffByAgeMs } from '#server/kit/async/backoff.ts';
import type { Deps } from '#server/kit/deps.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';

/** Whoever works on a charge has it for this long: longer than a look-up and a charge take. */
export const CHARGE_LEASE_MS = MINUTE_MS;
/** Gateways forget keys after 24 hours; from here on only looking up is safe. */
export const REPEAT_UNTIL_MS = 23 * HOUR_MS;
/** A charge that was never sent isn't sent any more: its customer has gone away long ago. */
export const SEND_UNTIL_MS = HOUR_MS;
/** Nor can one be confirmed at the bank any more. */
export const CONFIRM_WITHIN_MS = HOUR_MS;

/**
 * How far ahead the end of a page of the gateway's has to be when it is opened: 30 minutes at least, by its rule
 * (docs.stripe.com/payments/checkout/managing-limited-inventory), and some for clocks that differ.
 */
const PAGE_OPEN_MS = 35 * MINUTE_MS;

const CHECK_AGAIN = { firstMs: 5000, longestMs: 10 * MINUTE_MS };

/** What it takes to bring a charge to its end. */
export type CollectDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'log' | 'settings'>;

interface Begun {
  createdAt: Date;
}

export function ageMs({ clock }: Pick<Deps, 'clock'>, { createdAt }: Begun): number {
  return clock.now() - createdAt.getTime();
}

/** Ever later: when what nobody knows the end of is polled next. */
export function nextCheckAt(deps: Pick<Deps, 'clock'>, begun: Begun): Date {
  return new Date(deps.clock.now() + backoffByAgeMs(ageMs(deps, begun), CHECK_AGAIN));
}

/** Until when the customer can confirm at their bank. */
export function confirmUntil({ createdAt }: Begun): Date {
  return new Date(createdAt.getTime() + CONFIRM_WITHIN_MS);
}

/**
 * When the gateway closes a page by itself. Late enough for one that is opened in the last minute; the same for
 * each try, since tries share a key. Until then the page is closed by us, when its hour is over.
 */
export function pageClosesAt(begun: Begun): Date {
  return new Date(confirmUntil(begun).getTime() + PAGE_OPEN_MS);
}

/** When what waits at the bank is polled next; its hour is over on time. */
export function nextPollAt(deps: Pick<Deps, 'clock'>, begun: Begun): Date {
  const nextMs = nextCheckAt(deps, begun).getTime();
  const untilMs = confirmUntil(begun).getTime();
  return new Date(deps.clock.now() < untilMs ? Math.min(nextMs, untilMs) : nextMs);
}
