import { Hono } from 'hono';
import type { GatewayAnswer } from '../gateway-answer.ts';
import type { CallHandler } from '../handler.ts';
import type { CheckoutSessions } from '../checkout/sessions.ts';
import type { Payments } from '../payments.ts';
import type { SetupIntents } from './setup-intents.ts';

interface IntentParts {
  payments: Payments;
  setups: SetupIntents;
  sessions: CheckoutSessions;
}

/** Payment and set-up intents. A browser with the intent's client secret may read and confirm. */
export function intentCalls(handle: CallHandler, parts: IntentParts): Hono {
  const { payments } = parts;
  const api = new Hono();
  api.post('/payment_intents', (c) =>
    handle(c, 'cards.intents', (call) => payments.createIntent(call.fields, call.idempotencyKey)),
  );
  api.get('/payment_intents', (c) =>
    handle(c, 'cards.intents', () => payments.listIntents(c.req.query())),
  );
  api.get('/payment_intents/:id', (c) => {
    const id = c.req.param('id');
    const isSecret = (secret: string): boolean => payments.isIntentSecret(id, secret);
    return handle(c, 'cards.intents', (call) => shown(payments.readIntent(id), call), isSecret);
  });
  api.post('/payment_intents/:id/confirm', (c) => {
    const id = c.req.param('id');
    const isSecret = (secret: string): boolean => payments.isIntentSecret(id, secret);
    const confirm = (call: Call): GatewayAnswer =>
      shown(payments.confirmIntent(id, withoutServersWord(call)), call);
    return handle(c, 'cards.intents', confirm, isSecret);
  });
  api.post('/payment_intents/:id/cancel', (c) =>
    handle(c, 'cards.intents', ({ fields }) => payments.cancelIntent(c.req.param('id'), fields)),
  );
  addSetups(api, handle, parts);
  return api;
}

type Call = Parameters<Parameters<CallHandler>[2]>[0];

function addSetups(api: Hono, handle: CallHandler, { setups, sessions }: IntentParts): void {
  api.post('/setup_intents', (c) =>
    handle(c, 'cards.setups', (call) => setups.createSetup(call.fields)),
  );
  api.get('/setup_intents', (c) =>
    handle(c, 'cards.setups', () => setups.listSetups(c.req.query())),
  );
  api.get('/setup_intents/:id', (c) => {
    const id = c.req.param('id');
    const isSecret = (secret: string): boolean => setups.isSetupSecret(id, secret);
    return handle(c, 'cards.setups', (call) => shown(setups.readSetup(id), call), isSecret);
  });
  api.post('/setup_intents/:id/confirm', (c) => {
    const id = c.req.param('id');
    const isSecret = (secret: string): boolean => setups.isSetupSecret(id, secret);
    const confirm = (call: Call): GatewayAnswer => {
      sessions.refuseOwned(id);
      return shown(setups.confirmSetup(id, withoutServersWord(call)), call);
    };
    return handle(c, 'cards.setups', confirm, isSecret);
  });
  api.post('/setup_intents/:id/cancel', (c) =>
    handle(c, 'cards.setups', ({ fields }) => {
      sessions.refuseOwned(c.req.param('id'));
      return setups.cancelSetup(c.req.param('id'), fields);
    }),
  );
}

/** Whether its cardholder is there is nothing a browser decides. */
function withoutServersWord({ fields, isBrowser }: Call): Call['fields'] {
  if (!isBrowser) return fields;
  const { off_session: _ignored, ...rest } = fields;
  return rest;
}

/** Browsers don't see whose it is and what the product wrote beside it. */
function shown(answer: GatewayAnswer, { isBrowser }: Call): GatewayAnswer {
  if (!isBrowser || answer.status !== 200) return answer;
  const {
    customer: _customer,
    metadata: _metadata,
    ...body
  } = answer.body as Record<string, unknown>;
  return { ...answer, body };
}
