import type { Hono, Context } from 'hono';
import * as v from 'valibot';
import { SIGNATURE_HEADER, UnjudgedEvents } from '#shared/contract/provider-protocol.ts';
import { verifySignature } from '#server/adapters/provider/signature.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { BODY_MAX_BYTES, parseRequestObject, readBody } from '#server/kit/http/request-body.ts';
import { readableProgress, receiveEvents } from '#server/delivery/orders/provider-news.service.ts';
import { EVENT_SIGNATURE, readEvent } from '#server/adapters/stripe/stripe-events.ts';
import { logAudit } from '#server/audit/audit-notice.repository.ts';
import { limitAll, LIMITS, usesBeyondLimit } from '#server/identity/limits/rate-limit.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { Semaphore } from '#server/kit/async/semaphore.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { hearGateway } from '#server/money/payments/hear-gateway.service.ts';
import '#server/kit/http/request-context.ts';

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
    const events = v.safeParse(UnjudgedEvents, parseRequestObject(body));
    const readable = events.success ? readableProgress(deps.log, events.output.orders) : [];
    if (readable.length === 0) {
      throw new ApiError('invalid_input', '"orders" must list 1 to 100 order states.');
    }
    await receiveEvents(deps, readable);
    return c.json({ status: 'success' });
  });
}

type GatewayEventDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'settings'>;

export const GATEWAY_EVENTS_PATH = '/stripe/events';
const MAX_BYTES = 1024 * 1024;
/** An event costs a statement or two; the gateway repeats what was turned away. */
const SHARE = { concurrency: 4, waiting: 60 };

/**
 * `POST /stripe/events`: what the card gateway tells of its own accord. The signature over the raw body alone
 * decides who may. Each event is a hint (`hear-gateway.service.ts`); an error makes the gateway repeat it.
 */
export function registerGatewayEventRoutes(app: Hono, deps: GatewayEventDeps): void {
  const share = new Semaphore(SHARE, () => new ApiError('overloaded', 'Please try again later.'));
  app.post(GATEWAY_EVENTS_PATH, async (c) => {
    const body = await readBody(c.req.raw, MAX_BYTES);
    return share.run(() => receiveEvent(c, deps, body));
  });
}

async function receiveEvent(c: Context, deps: GatewayEventDeps, body: string): Promise<Response> {
  const read = readEvent({
    body,
    signature: c.req.header(EVENT_SIGNATURE),
    secrets: deps.settings.gatewayEventSecrets,
    nowMs: deps.clock.now(),
  });
  switch (read.kind) {
    case 'forged':
      await limitAll(deps, usesByAddress(LIMITS.forgedEvent, c.get('address')));
      await logEvent(deps, 'gateway_event_refused', read.reason);
      throw new ApiError('bad_signature', 'The signature is missing, wrong or too old.');
    case 'unreadable':
      throw new ApiError('invalid_input', 'This isn’t an event.');
    case 'event':
      break;
  }
  const isOurs = await hearGateway(deps, read.event);
  if (!isOurs && (await usesBeyondLimit(deps, { ...LIMITS.strangeEvent, key: '' })) === 0) {
    await logEvent(deps, 'gateway_event_ignored', read.event.eventId.slice(0, 100));
  }
  return c.json({ status: 'success' });
}

function logEvent(
  { clock, database }: GatewayEventDeps,
  action: 'gateway_event_refused' | 'gateway_event_ignored',
  subject: string,
): Promise<void> {
  const now = new Date(clock.now());
  const who = { workspaceId: OPERATOR_WORKSPACE_ID, actor: 'visitor' };
  return logAudit(database.db, { ...who, action, subject, now });
}
