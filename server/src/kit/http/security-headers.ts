import type { MiddlewareHandler } from 'hono';
import { reportedContentPolicy } from '#shared/domain/content-policy.ts';
import type { Deps } from '../deps.ts';

const HEADERS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()'],
];
const ONE_YEAR = 'max-age=31536000';

/** Protects every answer; answers of the calls are kept by no cache. */
export function securityHeaders({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const isHttps = settings.publicUrl.startsWith('https:');
  const policy = reportedContentPolicy(settings.cardEntry);
  return async (c, next) => {
    await next();
    c.res.headers.set('content-security-policy', policy);
    for (const [name, value] of HEADERS) c.res.headers.set(name, value);
    if (isHttps) c.res.headers.set('strict-transport-security', ONE_YEAR);
    if (c.req.path.startsWith('/user/')) c.res.headers.set('cache-control', 'no-store');
  };
}
