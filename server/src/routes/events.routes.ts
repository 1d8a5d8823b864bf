import type { Hono } from 'hono';
import * as v from 'valibot';
import { SIGNATURE_HEADER, UnjudgedEvents } from '#shared/contract/provider-protocol.ts';
import { verifySignature } from '#server/adapters/provider/signature.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { BODY_MAX_BYTES, parseJsonObject, readBody } from '#server/kit/http/request-body.ts';
import { readableProgress, receiveEvents } from '#server/delivery/orders/provider-news.service.ts';

type EventDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'settings'>;

/**
 * `POST /provider/events`: progress the provider tells us of its own accord. The signature alone decides
 * who may (D2); a batch is stored before it is acknowledged, and an error makes the provider repeat it.
 * What can't be read or stored of one order is logged and left to polling; the others are stored.
 */
export function registerProviderEventRoutes(app: Hono, deps: EventDeps): void {
  app.post('/provider/events', async (c) => {
    const body = await readBody(c.req.raw, BODY_MAX_BYTES);
    const { pathname, search } = new URL(c.req.url);
    const message = { method: 'POST', path: pathname + search, body };
    const { providerSecret } = deps.settings;
    const header = c.req.header(SIGNATURE_HEADER);
    if (!verifySignature(providerSecret, header, message, deps.clock.now())) {
      throw new ApiError('bad_signature', 'The signature is missing, wrong or too old.');
    }
    const events = v.safeParse(UnjudgedEvents, parseJsonObject(body));
    const readable = events.success ? readableProgress(deps.log, events.output.orders) : [];
    if (readable.length === 0) {
      throw new ApiError('invalid_input', '"orders" must list 1 to 100 order states.');
    }
    await receiveEvents(deps, readable);
    return c.json({ status: 'success' });
  });
}
