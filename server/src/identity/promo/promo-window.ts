import { createHmac, timingSafeEqual } from 'node:crypto';
import { PROMO_GRACE_MS, PROMO_WINDOW_MS } from '#shared/domain/money/promo.ts';

/** Keeps when a browser's one window began; 400 days is the longest browsers keep a cookie. */
export const PROMO_COOKIE = 'ovation-promo';
export const PROMO_COOKIE_SECONDS = 400 * 86_400;

const FORM = /^(\d{1,15})\.([\w-]{43})([\w-]{0,64})$/;

/** The one window of a browser. */
interface PromoWindow {
  /** In milliseconds since 1970. */
  openedAtMs: number;
  /** Tells it from those of other browsers; empty in cookies from before there was one. */
  nonce: string;
}

/** The cookie's value for a window. */
export function signPromo(appSecret: string, { openedAtMs, nonce }: PromoWindow): string {
  const seal = signature(appSecret, { openedAtMs, nonce }).toString('base64url');
  return `${openedAtMs}.${seal}${nonce}`;
}

/** A browser's window; undefined without a cookie of ours. */
export function readPromo(appSecret: string, cookie: string | undefined): PromoWindow | undefined {
  const [, opened = '', sealed = '', nonce = ''] = FORM.exec(cookie ?? '') ?? [];
  if (opened === '') return undefined;
  const window = { openedAtMs: Number(opened), nonce };
  const given = Buffer.from(sealed, 'base64url');
  const expected = signature(appSecret, window);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? window : undefined;
}

/** What a window is remembered by; not the cookie, which can be written in more than one way. */
export function promoId({ openedAtMs, nonce }: PromoWindow): string {
  return `${openedAtMs}:${nonce}`;
}

export function promoEndsAt(openedAtMs: number): number {
  return openedAtMs + PROMO_WINDOW_MS;
}

/** Whether a registration that arrives now is in time, ten seconds of grace included (D8). */
export function isPromoMet(openedAtMs: number | undefined, arrivedAtMs: number): boolean {
  return openedAtMs !== undefined && arrivedAtMs <= promoEndsAt(openedAtMs) + PROMO_GRACE_MS;
}

function signature(appSecret: string, window: PromoWindow): Buffer {
  const words = window.nonce === '' ? `${window.openedAtMs}` : promoId(window);
  return createHmac('sha256', appSecret).update(`promo:${words}`).digest();
}
