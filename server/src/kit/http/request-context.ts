import 'hono';
import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';

declare module 'hono' {
  /** What the middleware of `app.ts` finds out about every request; `identity/http` adds who asks. */
  interface ContextVariableMap {
    requestId: string;
    /** The client's address; empty when there is no connection (a call inside the process). */
    address: string;
    /** Why it was refused, once it was. */
    errorCode: string | undefined;
  }
}

/** Names every request in the log and in its answer, so that a customer's report finds its line. */
export function requestId({ ids }: Pick<Deps, 'ids'>): MiddlewareHandler {
  return async (c, next) => {
    const id = ids.uuid();
    c.set('requestId', id);
    c.header('x-request-id', id);
    await next();
  };
}
