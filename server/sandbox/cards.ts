import { Hono } from 'hono';
import { CALL_SCENARIOS } from './call-faults.ts';
import { openAccountIds } from './cards/account-ids.ts';
import { BANK_SCENARIOS, openBank } from './cards/intents/bank.ts';
import { bankRoutes } from './cards/bank.routes.ts';
import { type CardStore, openCardStore } from './cards/card-store.ts';
import { checkoutPages, sessionCalls } from './cards/checkout/checkout.routes.ts';
import { openCheckoutSessions } from './cards/checkout/sessions.ts';
import { confirmRoutes } from './cards/intents/confirm.routes.ts';
import { EVENT_SCENARIOS, openGatewayEvents, type GatewayEvents } from './cards/gateway-events.ts';
import { prepareCardTables } from './cards/schema.ts';
import { fieldRoutes } from './cards/fields.routes.ts';
import { type GatewayAnswer, GatewayRefusal, unknownObject, done } from './cards/gateway-answer.ts';
import { type CallHandler, openHandler } from './cards/handler.ts';
import { openIdempotencyKeys } from './cards/idempotency.ts';
import { intentCalls } from './cards/intents/intents.routes.ts';
import { openPayments, type Payments } from './cards/payments.ts';
import { openSetupIntents } from './cards/intents/setup-intents.ts';
import type { SandboxContext, SandboxPart } from './context.ts';
import { inTransaction } from './state.ts';

interface CardsPart extends SandboxPart {
  /** Lets banks decide what they had deferred until now, and sends the events that are due. */
  tick(): Promise<void>;
}

const TICK_MS = 250;

/** What `POST /control/faults` takes for `cards`; `error_after` also `sticky`. */
export const CARD_SCENARIOS = [...CALL_SCENARIOS, ...BANK_SCENARIOS, ...EVENT_SCENARIOS];

/**
 * The subset of Stripe's API the product needs, for its unmodified packages: under `/v1`, and under
 * `/stripe/v1` for a client that can be told a path. Test keys and test cards only; publishable keys for
 * what browsers do. Calls for faults: `cards.customers`, `cards.methods`, `cards.intents`,
 * `cards.setups`, `cards.refunds`, `cards.charges`, `cards.disputes`, `cards.events`,
 * `cards.endpoints`, `cards.sessions`; each aimed by `account`, `customer` and `last4`.
 */
export function registerCards(
  app: Hono,
  ctx: SandboxContext,
  { tickMs = TICK_MS }: { tickMs?: number } = {},
): CardsPart {
  const ids = openAccountIds(() => ctx.random());
  const { newId, pattern, asOwnerOf } = ids;
  const now = (): number => ctx.now();
  const bankUrl = `${ctx.url}/bank`;
  prepareCardTables(ctx.db);
  const events = openGatewayEvents(ctx, ids);
  const { tell } = events;
  const deps = { db: ctx.db, now, newId, pattern, asOwnerOf, bankUrl, tell };
  const store = openCardStore(deps);
  const bank = openBank({ faults: ctx.faults, now });
  const payments = openPayments(deps, store, bank);
  const setups = openSetupIntents(deps, { store, bank });
  const pageUrl = `${ctx.url}/pay`;
  const sessions = openCheckoutSessions(deps, { store, payments, setups, pageUrl });
  const lookUp = (id: string): object | undefined =>
    store.findShown(id) ??
    payments.findIntent(id) ??
    setups.findSetup(id) ??
    payments.findDispute(id) ??
    sessions.findShown(id) ??
    (id.startsWith('ch_') ? payments.findCharge(id) : undefined);
  const handle = openHandler(ctx, { keys: openIdempotencyKeys(ctx.db, now), ids, lookUp });
  const api = new Hono();
  addCustomers(api, handle, store);
  api.route('/', intentCalls(handle, { payments, setups, sessions }));
  api.route('/', sessionCalls(handle, sessions));
  addPayments(api, handle, { payments, events });
  app.route('/v1', api);
  app.route('/stripe/v1', api);
  app.route('/v3', fieldRoutes(ctx.url));
  app.route('/stripe/v3', fieldRoutes(`${ctx.url}/stripe`));
  app.route('/', bankRoutes(ctx, { store, payments, setups, events }));
  app.route('/', confirmRoutes(ctx, { store, payments, setups }));
  app.route('/', checkoutPages(ctx, sessions, ids));
  const machines = [payments.machine, setups.machine];
  const tick = (): Promise<void> => {
    inTransaction(ctx.db, () => {
      machines.forEach((each) => each.settleDue());
      sessions.settleOpen();
    });
    return events.flush();
  };
  const timer = tickMs > 0 ? setInterval(() => void tick(), tickMs) : undefined;
  return {
    tick,
    async close() {
      clearInterval(timer);
      await events.close();
    },
  };
}

function addCustomers(api: Hono, handle: CallHandler, store: CardStore): void {
  api.post('/customers', (c) =>
    handle(c, 'cards.customers', (call) => store.createCustomer(call.fields)),
  );
  api.get('/customers/:id', (c) =>
    handle(c, 'cards.customers', () => store.readCustomer(c.req.param('id'))),
  );
  api.delete('/customers/:id', (c) =>
    handle(c, 'cards.customers', () => store.deleteCustomer(c.req.param('id'))),
  );
  api.get('/customers/:id/payment_methods', (c) =>
    handle(c, 'cards.methods', () => store.listMethods(c.req.param('id'))),
  );
  api.post('/payment_methods', (c) =>
    handle(
      c,
      'cards.methods',
      (call) => forBrowser(store.createMethod(call.fields), call.isBrowser),
      () => true,
    ),
  );
  api.get('/payment_methods/:id', (c) =>
    handle(c, 'cards.methods', () => store.readMethod(c.req.param('id'))),
  );
  api.post('/payment_methods/:id/attach', (c) =>
    handle(c, 'cards.methods', (call) => store.attach(c.req.param('id'), call.fields)),
  );
  api.post('/payment_methods/:id/detach', (c) =>
    handle(c, 'cards.methods', () => store.detach(c.req.param('id'))),
  );
}

/** Which cards are the same one is nothing a browser is told. */
function forBrowser(answer: GatewayAnswer, isBrowser: boolean): GatewayAnswer {
  const { card } = answer.body as { card?: object };
  if (!isBrowser || !card) return answer;
  return { ...answer, body: { ...answer.body, card: { ...card, fingerprint: undefined } } };
}

function addEvents(api: Hono, handle: CallHandler, events: GatewayEvents): void {
  api.get('/events', (c) => handle(c, 'cards.events', () => events.listEvents(c.req.query())));
  api.get('/webhook_endpoints', (c) => handle(c, 'cards.endpoints', () => events.listEndpoints()));
  api.get('/events/:id', (c) =>
    handle(c, 'cards.events', () => events.readEvent(c.req.param('id'))),
  );
}

function addPayments(
  api: Hono,
  handle: CallHandler,
  { payments, events }: { payments: Payments; events: GatewayEvents },
): void {
  api.post('/refunds', (c) =>
    handle(c, 'cards.refunds', (call) => payments.createRefund(call.fields)),
  );
  api.get('/refunds', (c) => handle(c, 'cards.refunds', () => payments.listRefunds(c.req.query())));
  api.get('/refunds/:id', (c) =>
    handle(c, 'cards.refunds', () => payments.readRefund(c.req.param('id'))),
  );
  api.get('/charges/:id', (c) =>
    handle(c, 'cards.charges', () => {
      const id = c.req.param('id');
      const charge = payments.findCharge(id);
      if (!charge) throw unknownObject('charge', id, 404);
      return done(charge);
    }),
  );
  api.get('/disputes', (c) =>
    handle(c, 'cards.disputes', () => payments.listDisputes(c.req.query())),
  );
  api.get('/disputes/:id', (c) =>
    handle(c, 'cards.disputes', () => payments.readDispute(c.req.param('id'))),
  );
  api.post('/disputes/:id', (c) =>
    handle(c, 'cards.disputes', ({ fields }) => payments.answerDispute(c.req.param('id'), fields)),
  );
  api.post('/disputes/:id/close', (c) =>
    handle(c, 'cards.disputes', () => payments.closeDispute(c.req.param('id'))),
  );
  addEvents(api, handle, events);
  api.all('*', (c) =>
    handle(c, 'cards.unknown', () => {
      const type = 'invalid_request_error';
      throw new GatewayRefusal(404, { type, message: `Unrecognized request URL (${c.req.path}).` });
    }),
  );
}
