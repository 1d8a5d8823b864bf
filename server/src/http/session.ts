import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Deps } from '../deps.ts';
import { findSession, type SignIn } from '../features/users/session.service.ts';
import './request-context.ts';

type Where = Pick<Deps, 'settings'>;

/** `__Host-` needs https; on plain http (loopback only) the cookie has a plain name. */
export function sessionCookieName({ settings }: Where): string {
  return isHttps({ settings }) ? '__Host-ovation' : 'ovation';
}

/** Finds the session of the request's cookie. */
export function session(deps: Pick<Deps, 'settings' | 'clock' | 'database'>): MiddlewareHandler {
  const name = sessionCookieName(deps);
  return async (c, next) => {
    const token = getCookie(c, name);
    c.set('session', token === undefined ? undefined : await findSession(deps, token));
    await next();
  };
}

export function setSessionCookie(c: Context, deps: Where, signIn: SignIn): void {
  const { token, maxAgeSeconds } = signIn;
  setCookie(c, sessionCookieName(deps), token, {
    ...attributes(deps),
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  });
}

export function clearSessionCookie(c: Context, deps: Where): void {
  deleteCookie(c, sessionCookieName(deps), attributes(deps));
}

function attributes(deps: Where): CookieOptions {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps(deps) };
}

function isHttps({ settings }: Where): boolean {
  return settings.publicUrl.startsWith('https:');
}
