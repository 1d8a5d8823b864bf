import type { Hono } from 'hono';
import { openPromo } from '#shared/contract/visitor.ts';
import { SIGNUP_BONUS_CREDITS } from '#shared/domain/promo.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { findPromoGrant } from '#server/identity/promo/promo-grant.repository.ts';
import {
  PROMO_COOKIE,
  PROMO_COOKIE_SECONDS,
  promoEndsAt,
  promoId,
  readPromo,
  signPromo,
} from '#server/identity/promo/promo-window.ts';

/**
 * `POST /user/promo/open`: the window is kept in the browser's cookie; stored is only that it has given its
 * bonus, with which it is over.
 */
export function registerPromoRoutes(
  app: Hono,
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
): void {
  const { appSecret } = deps.settings;

  registerCall(app, openPromo, deps, async ({ cookie }) => {
    const nowMs = deps.clock.now();
    const known = readPromo(appSecret, cookie(PROMO_COOKIE));
    const window = known ?? { openedAtMs: nowMs, nonce: deps.ids.uuid().replaceAll('-', '') };
    const grantedAt = known && (await findPromoGrant(deps.database.db, promoId(known)));
    const data = {
      credits: SIGNUP_BONUS_CREDITS,
      now: new Date(nowMs).toISOString(),
      endsAt: (grantedAt ?? new Date(promoEndsAt(window.openedAtMs))).toISOString(),
    };
    if (known) return { data };
    const value = signPromo(appSecret, window);
    return {
      data,
      cookies: [{ name: PROMO_COOKIE, value, maxAgeSeconds: PROMO_COOKIE_SECONDS }],
    };
  });
}
