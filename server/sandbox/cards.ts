import { Hono } from 'hono';
import { CALL_SCENARIOS } from './call-faults.ts';
import { bankRoutes } from './cards/bank.routes.ts';
import { openDesk } from './cards/desk.ts';
import { GatewayRefusal } from './cards/gateway-answer.ts';
import { openIdempotencyKeys } from './cards/idempotency.ts';
import { openTill } from './cards/till.ts';
import { openVault } from './cards/vault.ts';
import type { SandboxContext, SandboxPart } from './context.ts';

/** What `POST /control/faults` takes for `cards`; `error_after` also `sticky`. */
export const CARD_SCENARIOS = CALL_SCENARIOS;

/**
 * The subset of Stripe's API the product needs, for its unmodified package: under `/v1`, and under
 * `/stripe/v1` for a client that can be told a path. Test keys and test cards only. Calls for faults:
 * `cards.customers`, `cards.methods`, `cards.intents`, `cards.refunds`, `cards.disputes`.
 */
export function registerCards(app: Hono, ctx: SandboxContext): SandboxPart {
  const newId = (prefix: string): string => `${prefix}_${randomName(ctx.random)}`;
  const nature = { db: ctx.db, now: () => ctx.now(), newId };
  const vault = openVault(nature);
  const till = openTill(nature, vault);
  const desk = openDesk(ctx, openIdempotencyKeys(ctx.db, nature.now), newId);
  const api = new Hono();

  api.post('/customers', (c) =>
    desk(c, 'cards.customers', (call) => vault.createCustomer(call.fields)),
  );
  api.get('/customers/:id', (c) =>
    desk(c, 'cards.customers', () => vault.readCustomer(c.req.param('id'))),
  );
  api.delete('/customers/:id', (c) =>
    desk(c, 'cards.customers', () => vault.deleteCustomer(c.req.param('id'))),
  );
  api.get('/customers/:id/payment_methods', (c) =>
    desk(c, 'cards.methods', () => vault.listMethods(c.req.param('id'))),
  );
  api.post('/payment_methods', (c) =>
    desk(c, 'cards.methods', (call) => vault.createMethod(call.fields)),
  );
  api.get('/payment_methods/:id', (c) =>
    desk(c, 'cards.methods', () => vault.readMethod(c.req.param('id'))),
  );
  api.post('/payment_methods/:id/attach', (c) =>
    desk(c, 'cards.methods', (call) => vault.attach(c.req.param('id'), call.fields)),
  );
  api.post('/payment_methods/:id/detach', (c) =>
    desk(c, 'cards.methods', () => vault.detach(c.req.param('id'))),
  );
  api.post('/payment_intents', (c) =>
    desk(c, 'cards.intents', (call) => till.createIntent(call.fields, call.idempotencyKey)),
  );
  api.get('/payment_intents', (c) =>
    desk(c, 'cards.intents', () => till.listIntents(c.req.query())),
  );
  api.get('/payment_intents/:id', (c) =>
    desk(c, 'cards.intents', () => till.readIntent(c.req.param('id'))),
  );
  api.post('/refunds', (c) => desk(c, 'cards.refunds', (call) => till.createRefund(call.fields)));
  api.get('/refunds', (c) => desk(c, 'cards.refunds', () => till.listRefunds(c.req.query())));
  api.get('/refunds/:id', (c) =>
    desk(c, 'cards.refunds', () => till.readRefund(c.req.param('id'))),
  );
  api.get('/disputes', (c) => desk(c, 'cards.disputes', () => till.listDisputes(c.req.query())));
  api.all('*', (c) =>
    desk(c, 'cards.unknown', () => {
      const type = 'invalid_request_error';
      throw new GatewayRefusal(404, { type, message: `Unrecognized request URL (${c.req.path}).` });
    }),
  );

  app.route('/v1', api);
  app.route('/stripe/v1', api);
  app.route('/', bankRoutes(till, nature.now));
  return {};
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function randomName(random: () => number): string {
  return Array.from({ length: 24 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}
