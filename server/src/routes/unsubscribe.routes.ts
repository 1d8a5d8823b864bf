import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { readBody } from '#server/kit/http/request-body.ts';
import { UNSUBSCRIBE_PATH } from '#server/mail/unsubscribe-link.ts';
import { unsubscribe } from '#server/read-model/reports/unsubscribe.service.ts';
import { registerCall } from './http/register-call.ts';

const BODY_MAX_BYTES = 4096;

/**
 * The page's call, and the one click of a mail program (RFC 8058): `POST` to the address in the mail, in either
 * encoding of a form, with no cookie and from anywhere. The seal of the link decides what it may.
 */
export function registerUnsubscribeRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.unsubscribe, deps, async ({ input }) => ({
    data: { stopped: await unsubscribe(deps, input.token) },
  }));

  app.post(UNSUBSCRIBE_PATH, async (c) => {
    const body = await readBody(c.req.raw, BODY_MAX_BYTES);
    if (!/List-Unsubscribe\W[^]*One-Click/.test(body)) {
      throw new ApiError(
        'invalid_input',
        'This address takes one-click requests of mail programs.',
      );
    }
    await unsubscribe(deps, c.req.query('token') ?? '');
    return c.json({ status: 'success' });
  });
}
