import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { ErrorAnswer } from '#shared/contract/answer.ts';
import { ERROR_STATUS } from '#shared/contract/error-code.ts';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';
import type { Call } from '#shared/contract/call.ts';

/** When to try again, where the error itself doesn't know. */
const RETRY_AFTER_MS = 5000;
const INTERNAL_MESSAGE = 'Something went wrong on our side. Please try again in a moment.';

/** The one error body. An error nobody foresaw is logged under the request's id and never shown. */
export function errorResponse(c: Context, deps: Pick<Deps, 'log'>, error: unknown): Response {
  const apiError = error instanceof ApiError ? error : unforeseen(c, deps, error);
  c.set('errorCode', apiError.code);
  const { code, message, fields, action, retryAfterMs = RETRY_AFTER_MS } = apiError;
  const status = ERROR_STATUS[code];
  if (status === 429 || status === 503) {
    c.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  const told = { ...(fields && { fields }), ...(action && { action }) };
  const body: ErrorAnswer = { status: 'error', message, code, ...told };
  return c.json(body, status);
}

function unforeseen(c: Context, { log }: Pick<Deps, 'log'>, error: unknown): ApiError {
  log.error('request_failed', {
    requestId: c.get('requestId'),
    method: c.req.method,
    path: c.req.path,
    error,
  });
  return new ApiError('internal', INTERNAL_MESSAGE);
}

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
