import type { Hono } from 'hono';
import { openPromo } from '#shared/contract/own-account.ts';
import { SIGNUP_BONUS_CREDITS } from '#shared/domain/promo.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import {
  PROMO_COOKIE,
  PROMO_COOKIE_SECONDS,
  promoEndsAt,
  readPromo,
  signPromo,
} from './promo-window.ts';

/** `POST /user/promo/open`: the window is kept in the browser's cookie, so there is nothing to store. */
export function registerPromoRoutes(app: Hono, deps: Pick<Deps, 'clock' | 'settings'>): void {
  const { appSecret } = deps.settings;

  registerCall(app, openPromo, deps, async ({ cookie }) => {
    const nowMs = deps.clock.now();
    const openedAtMs = readPromo(appSecret, cookie(PROMO_COOKIE));
    const data = {
      credits: SIGNUP_BONUS_CREDITS,
      now: new Date(nowMs).toISOString(),
      endsAt: new Date(promoEndsAt(openedAtMs ?? nowMs)).toISOString(),
    };
    if (openedAtMs !== undefined) return { data };
    const value = signPromo(appSecret, nowMs);
    return {
      data,
      cookies: [{ name: PROMO_COOKIE, value, maxAgeSeconds: PROMO_COOKIE_SECONDS }],
    };
  });
}
