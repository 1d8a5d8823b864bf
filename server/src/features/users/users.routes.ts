import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { SIGNUP_BONUS_CREDITS } from '#shared/domain/promo.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/client-address.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { registerCall } from '../../http/register-call.ts';
import { isPromoMet, PROMO_COOKIE, promoId, readPromo } from '../promo/promo-window.ts';
import { logIn } from './login.service.ts';
import type { Passwords } from './password.ts';
import { registerUser } from './registration.service.ts';
import { endSession } from './session.service.ts';
import { viewUser } from './user-view.service.ts';

export function registerUserRoutes(app: Hono, deps: Deps & { passwords: Passwords }): void {
  registerCall(
    app,
    CALLS.register,
    deps,
    async ({ input, session, address, userAgent, cookie }) => {
      // The moment of arrival decides (D8), not how long the password takes.
      const window = readPromo(deps.settings.appSecret, cookie(PROMO_COOKIE));
      const isMet = window && isPromoMet(window.openedAtMs, deps.clock.now());
      const bonus = isMet
        ? { credits: SIGNUP_BONUS_CREDITS, windowId: promoId(window) }
        : undefined;
      await limit(deps, { ...LIMITS.registration, key: networkOf(address) });
      const { signIn, ...owner } = await registerUser(deps, input, { userAgent, bonus });
      if (session) await endSession(deps, session);
      return { data: await viewUser(deps, owner), message: 'Successfully Registered', signIn };
    },
  );

  registerCall(app, CALLS.login, deps, async ({ input, session, address, userAgent }) => {
    const { signIn, ...owner } = await logIn(deps, { ...input, address, userAgent });
    if (session) await endSession(deps, session);
    const { mostAccounts } = input;
    const data = await viewUser(deps, owner, { mostAccounts });
    return { data, message: 'Successfully logged in', signIn };
  });

  registerCall(app, CALLS.logout, deps, async ({ session }) => {
    if (session) await endSession(deps, session);
    return { data: null, message: 'Successfully logged out', signOut: true };
  });

  registerCall(app, CALLS.findUser, deps, async ({ session }) => ({
    data: await viewUser(deps, session),
  }));
}
