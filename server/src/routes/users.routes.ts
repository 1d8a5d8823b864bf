import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { SIGNUP_BONUS_CREDITS } from '#shared/domain/money/promo.ts';
import type { Deps } from '#server/kit/deps.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { limitAll, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { registerCall } from './http/register-call.ts';
import {
  isPromoMet,
  PROMO_COOKIE,
  promoId,
  readPromo,
} from '#server/identity/promo/promo-window.ts';
import { BROWSER_COOKIE } from '#server/identity/sessions/known-browser.service.ts';
import { logIn } from '#server/identity/sessions/login.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { registerUser } from '#server/use-cases/customers/registration.service.ts';
import { endSession } from '#server/identity/sessions/session.service.ts';
import { viewUser } from '#server/read-model/users.service.ts';

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
      await limitAll(deps, usesByAddress(LIMITS.registration, address));
      const client = { address, browserToken: cookie(BROWSER_COOKIE) };
      const { signIn, browser, ...owner } = await registerUser(deps, input, {
        userAgent,
        bonus,
        ...client,
      });
      if (session) await endSession(deps, session);
      const data = await viewUser(deps, owner);
      return { data, message: 'Successfully Registered', signIn, cookies: [browser] };
    },
  );

  registerCall(app, CALLS.login, deps, async ({ input, session, address, userAgent, cookie }) => {
    const client = { address, browserToken: cookie(BROWSER_COOKIE) };
    const { signIn, browser, ...owner } = await logIn(deps, { ...input, userAgent, ...client });
    if (session) await endSession(deps, session);
    const { mostAccounts } = input;
    const data = await viewUser(deps, owner, { mostAccounts });
    return { data, message: 'Successfully logged in', signIn, cookies: [browser] };
  });

  registerCall(app, CALLS.logout, deps, async ({ session }) => {
    if (session) await endSession(deps, session);
    return { data: null, message: 'Successfully logged out', signOut: true };
  });

  registerCall(app, CALLS.findUser, deps, async ({ session }) => ({
    data: await viewUser(deps, session),
  }));
}
