import type { Context, Hono } from 'hono';
import type { ErrorAnswer } from '#shared/contract/answer.ts';
import type { Call } from '#shared/contract/call.ts';

const NOTHING_HERE: ErrorAnswer = {
  status: 'error',
  message: 'There is nothing at this address.',
  code: 'not_found',
};

export function notFound(c: Context): Response {
  return c.json(NOTHING_HERE, 404);
}

/** Answers other methods than the call's with 405 and the ones that work. */
export function refuseOtherMethods(app: Hono, call: Pick<Call, 'method' | 'path'>): void {
  const allowed = call.method === 'GET' ? 'GET, HEAD' : call.method;
  app.all(call.path, (c) => {
    c.header('allow', allowed);
    return c.json(NOTHING_HERE, 405);
  });
}
