import type { Context, Hono } from 'hono';
import type { ErrorAnswer } from '#shared/contract/answer.ts';
import type { Call } from '#shared/contract/call.ts';

const NOTHING_HERE: ErrorAnswer = {
  status: 'error',
  message: 'There is nothing at this address.',
  code: 'not_found',
};

const OTHER_METHOD: ErrorAnswer = {
  status: 'error',
  message: 'This address doesn’t take that method.',
  code: 'method_not_allowed',
};

export function notFound(c: Context): Response {
  return c.json(NOTHING_HERE, 404);
}

/** Answers other methods than the call's with 405 and the ones that work. */
export function refuseOtherMethods(app: Hono, call: Pick<Call, 'method' | 'path'>): void {
  const allowed = call.method === 'GET' ? 'GET, HEAD' : call.method;
  app.all(call.path, (c) => {
    c.header('allow', allowed);
    c.set('errorCode', 'method_not_allowed');
    return c.json(OTHER_METHOD, 405);
  });
}
