import { EVENT_SIGNATURE, signEvent } from '#server/adapters/stripe/stripe-events.ts';
import { GATEWAY_EVENTS_PATH } from '#server/routes/events.routes.ts';
import { TEST_SETTINGS } from '../test-deps.ts';

interface Signing {
  secret?: string;
  nowMs: number;
}

/** An event as the gateway writes it; `more` stands beside `type`. */
export function gatewayEvent(type: string, object: object, more: object = {}): string {
  return JSON.stringify({
    id: `evt_${type}`,
    object: 'event',
    type,
    livemode: false,
    ...more,
    data: { object },
  });
}

/** The header of an event that is sent now. */
export function signatureOf(
  body: string,
  { secret = TEST_SETTINGS.gatewayEventSecrets[0] ?? '', nowMs }: Signing,
): string {
  return signEvent(body, secret, nowMs);
}

/** Sends a signed event, as the gateway does. */
export function sendEvent(
  app: { request(path: string, init: RequestInit): Response | Promise<Response> },
  body: string,
  signing: Signing,
): Promise<Response> {
  return postEvent(app, body, signatureOf(body, signing));
}

export function postEvent(
  app: { request(path: string, init: RequestInit): Response | Promise<Response> },
  body: string,
  signature: string | undefined,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { [EVENT_SIGNATURE]: signature }),
  };
  return Promise.resolve(app.request(GATEWAY_EVENTS_PATH, { method: 'POST', headers, body }));
}
