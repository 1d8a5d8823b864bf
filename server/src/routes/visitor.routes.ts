import type { Hono } from 'hono';
import { about } from '#shared/contract/about.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { SYNC_PROTOCOL, SYNC_PROTOCOL_OLDEST } from '#shared/sync/version.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { openPromo } from '#shared/contract/people/visitor.ts';
import { SIGNUP_BONUS_CREDITS } from '#shared/domain/money/promo.ts';
import { findPromoGrant } from '#server/identity/promo/promo-grant.repository.ts';
import {
  PROMO_COOKIE,
  PROMO_COOKIE_SECONDS,
  promoEndsAt,
  promoId,
  readPromo,
  signPromo,
} from '#server/identity/promo/promo-window.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { submitTicket } from '#server/use-cases/customers/support.service.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { readBody } from '#server/kit/http/request-body.ts';
import { UNSUBSCRIBE_PATH } from '#server/mail/unsubscribe-link.ts';
import { unsubscribe } from '#server/read-model/reports/unsubscribe.service.ts';

const BODY_MAX_BYTES = 4096;

/** Calls of whoever comes by, signed in or not. */
export function registerVisitorRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  registerCall(app, about, deps, async () => ({
    data: {
      product: PRODUCT_NAME,
      protocol: SYNC_PROTOCOL,
      oldestProtocol: SYNC_PROTOCOL_OLDEST,
      cardEntry: deps.settings.cardEntry,
    },
  }));

  registerCall(app, CALLS.addTicket, deps, ({ input, address, idempotencyKey }) =>
    submitTicket(deps, attempts, { form: input, address, idempotencyKey }),
  );

  registerCall(app, CALLS.unsubscribe, deps, async ({ input }) => ({
    data: { stopped: await unsubscribe(deps, input.token) },
  }));

  // The one click of a mail program (RFC 8058): to the address in the mail, in either encoding of a form,
  // with no cookie and from anywhere. The seal of the link decides what it may.
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

  registerPromo(app, deps);
}

/**
 * `POST /user/promo/open`: the window is kept in the browser's cookie; stored is only that it has given its
 * bonus, with which it is over.
 */
function registerPromo(
  app: Hono,
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
): void {
  const { appSecret } = deps.settings;

  registerCall(app, openPromo, deps, async ({ cookie }) => {
    const nowMs = deps.clock.now();
    const known = readPromo(appSecret, cookie(PROMO_COOKIE));
    const window = known ?? { openedAtMs: nowMs, nonce: deps.ids.uuid().replaceAll('-', '') };
    const grantedAt = known && (await findPromoGrant(deps.database.db, promoId(known)));
    const data = {
      credits: SIGNUP_BONUS_CREDITS,
      now: new Date(nowMs).toISOString(),
      endsAt: (grantedAt ?? new Date(promoEndsAt(window.openedAtMs))).toISOString(),
    };
    if (known) return { data };
    const value = signPromo(appSecret, window);
    return {
      data,
      cookies: [{ name: PROMO_COOKIE, value, maxAgeSeconds: PROMO_COOKIE_SECONDS }],
    };
  });
}
