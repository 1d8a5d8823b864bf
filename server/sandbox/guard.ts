import type { MiddlewareHandler } from 'hono';

/**
 * Lets only this machine's own pages and programs in (D10): a `Host` that isn't ours stops rebound
 * names, an `Origin` that isn't ours stops other pages. Without `Origin` a browser shows itself by
 * `Sec-Fetch-Site`; links from elsewhere may open pages, nothing more.
 */
export function guard(port: number): MiddlewareHandler {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return async (c, next) => {
    if (!hosts.has(c.req.header('host') ?? '')) {
      return c.text(`This is a local sandbox: open http://127.0.0.1:${port}`, 403);
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !origins.has(origin)) return c.text('Foreign origin refused', 403);
    const site = c.req.header('sec-fetch-site');
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!isRead && site !== undefined && site !== 'same-origin' && site !== 'none') {
      return c.text('Foreign page refused', 403);
    }
    await next();
    return undefined;
  };
}
