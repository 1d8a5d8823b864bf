import type { MiddlewareHandler } from 'hono';
import { reportedContentPolicy } from '#shared/domain/content-policy.ts';
import type { Deps } from '../deps.ts';
import type { Settings } from '../settings.ts';

const HEADERS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()'],
];
const ONE_YEAR = 'max-age=31536000';

/** What protects an answer of the product. */
export function protectingHeaders({
  publicUrl,
  cardEntry,
}: Pick<Settings, 'publicUrl' | 'cardEntry'>): ReadonlyArray<
  readonly [name: string, value: string]
> {
  return [
    ['content-security-policy', reportedContentPolicy(cardEntry)],
    ...HEADERS,
    ...(publicUrl.startsWith('https:') ? [['strict-transport-security', ONE_YEAR] as const] : []),
  ];
}

/** Protects every answer; answers of the calls are kept by no cache. */
export function securityHeaders({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const headers = protectingHeaders(settings);
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
    if (c.req.path.startsWith('/user/')) c.res.headers.set('cache-control', 'no-store');
  };
}
