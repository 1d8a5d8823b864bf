import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** Called by the delivery provider, which proves itself by a signature. */
const EXEMPT_PATH = '/provider/events';

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
    if (isForeign && !SAFE_METHODS.has(c.req.method) && c.req.path !== EXEMPT_PATH) {
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
