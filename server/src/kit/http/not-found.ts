import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { ErrorAnswer } from '#shared/contract/answer.ts';
import type { Call } from '#shared/contract/call.ts';

const NOTHING_HERE: ErrorAnswer = {
  status: 'error',
  message: 'There’s nothing at this address.',
  code: 'not_found',
};

const OTHER_METHOD: ErrorAnswer = {
  status: 'error',
  message: 'This address doesn’t support that method.',
  code: 'method_not_allowed',
};

export function notFound(c: Context): Response {
  return c.json(NOTHING_HERE, 404);
}

/** Answers other methods than the call's with 405 and the one that works. */
export function refuseOtherMethods(app: Hono, call: Pick<Call, 'method' | 'path'>): void {
  app.all(call.path, (c) => refuseMethod(c, call.method));
}

/** Hono runs the GET handler for HEAD too, and leaves what it opened to nobody. */
export function refuseHead(app: Hono): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method !== 'HEAD') return next();
    const route = app.routes.find(({ path, method }) => path === c.req.path && method !== 'ALL');
    return refuseMethod(c, route?.method ?? 'GET');
  };
}

function refuseMethod(c: Context, allowed: string): Response {
  c.header('allow', allowed);
  c.set('errorCode', 'method_not_allowed');
  return c.json(OTHER_METHOD, 405);
}
