import { createHmac, timingSafeEqual } from 'node:crypto';
import { PROMO_GRACE_MS, PROMO_WINDOW_MS } from '#shared/domain/promo.ts';

/** Keeps when a browser's one window began; 400 days is the longest browsers keep a cookie. */
export const PROMO_COOKIE = 'ovation-promo';
export const PROMO_COOKIE_SECONDS = 400 * 86_400;

const FORM = /^(\d{1,15})\.([\w-]{43})$/;

/** The cookie's value for a window that began then. */
export function signPromo(appSecret: string, openedAtMs: number): string {
  return `${openedAtMs}.${signature(appSecret, openedAtMs).toString('base64url')}`;
}

/** When a browser's window began, in milliseconds since 1970; undefined without a cookie of ours. */
export function readPromo(appSecret: string, cookie: string | undefined): number | undefined {
  const [, opened = '', sealed = ''] = FORM.exec(cookie ?? '') ?? [];
  if (opened === '') return undefined;
  const openedAtMs = Number(opened);
  const given = Buffer.from(sealed, 'base64url');
  const expected = signature(appSecret, openedAtMs);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? openedAtMs : undefined;
}

export function promoEndsAt(openedAtMs: number): number {
  return openedAtMs + PROMO_WINDOW_MS;
}

/** Whether a registration that arrives now is in time, ten seconds of grace included (D8). */
export function isPromoMet(openedAtMs: number | undefined, arrivedAtMs: number): boolean {
  return openedAtMs !== undefined && arrivedAtMs <= promoEndsAt(openedAtMs) + PROMO_GRACE_MS;
}

function signature(appSecret: string, openedAtMs: number): Buffer {
  return createHmac('sha256', appSecret).update(`promo:${openedAtMs}`).digest();
}
