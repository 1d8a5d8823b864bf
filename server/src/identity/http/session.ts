import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '#server/kit/deps.ts';
import {
  findSession,
  findSessionEnd,
  type Session,
  type SignIn,
} from '../sessions/session.service.ts';
import type { SessionEnd } from '../users/no-session.ts';
import { cookieName, readCookie, writeCookie } from '#server/kit/http/cookie.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Who asks; on `/user/**` and `/proxy/**` only. */
    session: Session | undefined;
    /** Why the cookie that was sent is no session; undefined without one, and with a session. */
    sessionEnd: SessionEnd | undefined;
  }
}

type Where = Pick<Deps, 'settings'>;

const NAME = 'ovation';

export function sessionCookieName(where: Where): string {
  return cookieName(where, NAME);
}

/** Finds the session of the request's cookie. */
export function session(deps: Pick<Deps, 'settings' | 'clock' | 'database'>): MiddlewareHandler {
  return async (c, next) => {
    const token = readCookie(c, deps, NAME);
    const found = token === undefined ? undefined : await findSession(deps, token);
    c.set('session', found);
    if (token !== undefined && !found) c.set('sessionEnd', await findSessionEnd(deps, token));
    await next();
  };
}

export function setSessionCookie(c: Context, where: Where, signIn: SignIn): void {
  const { token, maxAgeSeconds } = signIn;
  writeCookie(c, where, { name: NAME, value: token, maxAgeSeconds });
}

/**
 * Takes the session away, and what the browser's own cache holds of it: pictures are served as
 * `private, max-age=86400`. The app's files, which a service worker keeps, stay.
 */
export function clearSessionCookie(c: Context, where: Where): void {
  writeCookie(c, where, { name: NAME, value: '', maxAgeSeconds: 0 });
  c.header('clear-site-data', '"cache"');
}
