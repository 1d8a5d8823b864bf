import type { MiddlewareHandler } from 'hono';
import type { Deps } from '#server/kit/deps.ts';
import '#server/kit/http/request-context.ts';
import './session.ts';

/** One line for each request: what was asked and how it ended (a refusal with its code), never with what. */
export function requestLog({ clock, log }: Pick<Deps, 'clock' | 'log'>): MiddlewareHandler {
  return async (c, next) => {
    const startedAtMs = clock.now();
    await next();
    const session = c.get('session');
    const code = c.get('errorCode');
    log.info('request', {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      durationMs: clock.now() - startedAtMs,
      ...(session && { userId: session.userId }),
      ...(code !== undefined && { code }),
    });
  };
}
