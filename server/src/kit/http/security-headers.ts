import type { MiddlewareHandler } from 'hono';
import { reportedContentPolicy } from '#shared/domain/words/content-policy.ts';
import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';
import type { Deps } from '../deps.ts';
import type { Settings } from '../settings.ts';

const HEADERS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()'],
];
const ONE_YEAR = 'max-age=31536000';

/** What protects an answer of the product at a path. */
export function protectingHeaders(
  { publicUrl, cardEntry }: Pick<Settings, 'publicUrl' | 'cardEntry'>,
  path: string,
): ReadonlyArray<readonly [name: string, value: string]> {
  return [
    ['content-security-policy', reportedContentPolicy(cardEntry)],
    // This page's address has a secret until its script runs: what it loads before isn't asked with it.
    ['referrer-policy', path === PAYMENT_RETURN ? 'strict-origin' : 'same-origin'],
    ...HEADERS,
    ...(publicUrl.startsWith('https:') ? [['strict-transport-security', ONE_YEAR] as const] : []),
  ];
}

/** Protects every answer; answers of the calls are kept by no cache. */
export function securityHeaders({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const usual = protectingHeaders(settings, '');
  const ofReturn = protectingHeaders(settings, PAYMENT_RETURN);
  return async (c, next) => {
    await next();
    const headers = c.req.path === PAYMENT_RETURN ? ofReturn : usual;
    for (const [name, value] of headers) c.res.headers.set(name, value);
    if (c.req.path.startsWith('/user/')) c.res.headers.set('cache-control', 'no-store');
  };
}
