import type { MiddlewareHandler } from 'hono';
import { LOOPBACK_HOSTS } from '#shared/domain/loopback.ts';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Called by the delivery provider and the card gateway, which prove themselves by signatures, and by mail programs,
 * by the link in a mail. None looks at a cookie.
 */
export const EVENT_PATHS: ReadonlySet<string> = new Set([
  '/provider/events',
  '/stripe/events',
  '/unsubscribe',
]);

/**
 * Refuses unsafe requests that a foreign page made a browser send (D2). A request with neither
 * `Origin` nor `Sec-Fetch-Site` doesn't come from a browser, so nobody's cookie was borrowed for it.
 */
export function sameSite({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const origins = ownOrigins(settings.publicUrl);
  return async (c, next) => {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const isForeign =
      (origin !== undefined && !origins.has(origin)) ||
      (site !== undefined && site !== 'same-origin');
    if (isForeign && !SAFE_METHODS.has(c.req.method) && !EVENT_PATHS.has(c.req.path)) {
      throw new ApiError('foreign_origin', 'This request came from another site.');
    }
    await next();
  };
}

/** The product's origin; on loopback also under the other names of the same machine. */
function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl);
  if (!LOOPBACK_HOSTS.includes(url.hostname)) return new Set([url.origin]);
  const port = url.port ? `:${url.port}` : '';
  return new Set(LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${port}`));
}
