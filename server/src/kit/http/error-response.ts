import type { Context } from 'hono';
import type { ErrorAnswer } from '#shared/contract/answer.ts';
import { ERROR_STATUS } from '#shared/contract/error-code.ts';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';

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
