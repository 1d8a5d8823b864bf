import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Deps } from '../deps.ts';

type Where = Pick<Deps, 'settings'>;

/** A cookie of the product; scripts can't read it and other sites can't send it. */
export interface Cookie {
  /** Without prefix: "ovation-recovery". */
  name: string;
  value: string;
  /** Missing: the cookie goes when the browser closes. 0 clears it. */
  maxAgeSeconds?: number | undefined;
}

/** `__Host-` needs https; on plain http (loopback only) cookies have plain names. */
export function cookieName(where: Where, name: string): string {
  return isHttps(where) ? `__Host-${name}` : name;
}

export function readCookie(c: Context, where: Where, name: string): string | undefined {
  return getCookie(c, cookieName(where, name));
}

export function writeCookie(c: Context, where: Where, cookie: Cookie): void {
  const name = cookieName(where, cookie.name);
  const { maxAgeSeconds } = cookie;
  if (maxAgeSeconds === 0) {
    deleteCookie(c, name, attributes(where));
    return;
  }
  setCookie(c, name, cookie.value, {
    ...attributes(where),
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  });
}

function attributes(where: Where): CookieOptions {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps(where) };
}

function isHttps({ settings }: Where): boolean {
  return settings.publicUrl.startsWith('https:');
}
