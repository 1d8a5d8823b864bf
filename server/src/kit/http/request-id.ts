import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import './request-context.ts';

/** Names every request in the log and in its answer, so that a customer's report finds its line. */
export function requestId({ ids }: Pick<Deps, 'ids'>): MiddlewareHandler {
  return async (c, next) => {
    const id = ids.uuid();
    c.set('requestId', id);
    c.header('x-request-id', id);
    await next();
  };
}
