import { Hono } from 'hono';
import * as v from 'valibot';
import { check, readJson, Refusal } from '../refusal.ts';
import { cardsPage } from '../site/cards-page.ts';
import { DISPUTE_STATUSES } from './disputes.ts';
import { GatewayRefusal } from './gateway-answer.ts';
import type { SandboxContext } from '../context.ts';
import { inTransaction } from '../state.ts';
import type { CardStore } from './card-store.ts';
import type { GatewayEvents } from './gateway-events.ts';
import type { SetupIntents } from './intents/setup-intents.ts';
import type { Payments } from './payments.ts';

const amountCents = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));
const NewDispute = v.object({
  charge: v.string(),
  amountCents,
  status: v.optional(v.picklist(DISPUTE_STATUSES)),
});
const ChangedDispute = v.object({ status: v.picklist(DISPUTE_STATUSES) });
const NewRefund = v.object({ charge: v.string(), amountCents });
const RenewedCard = v.object({
  last4: v.optional(v.pipe(v.string(), v.regex(/^\d{4}$/))),
  expMonth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)),
  expYear: v.pipe(v.number(), v.integer(), v.minValue(2000), v.maxValue(2100)),
});

interface Parts {
  store: CardStore;
  payments: Payments;
  setups: SetupIntents;
  events: GatewayEvents;
}

/**
 * What banks, and an operator at the gateway's own website, do with payments:
 * - `GET /control/charges?email=`, `GET /control/events`
 * - `POST /control/disputes {charge, amountCents?, status?}` and `POST /control/disputes/:id {status}`
 * - `POST /control/refunds {charge, amountCents?}`
 * - `POST /control/cards/:method/renew {last4?, expMonth, expYear}`: the bank sends a new card
 * - `POST /control/cards/:method/leave-loose`: it gets too old to be used
 * - the page `/cards`, where a person can do the same
 */
export function bankRoutes(ctx: SandboxContext, parts: Parts): Hono {
  const { store, payments, events } = parts;
  const app = new Hono();
  const change = <T>(work: () => T): T => inTransaction(ctx.db, work);
  app.get('/control/charges', (c) => c.json(payments.listCharges(c.req.query('email'))));
  app.get('/control/events', (c) => c.json(events.recentEvents()));
  app.post('/control/disputes', async (c) => {
    const dispute = await readJson(c, NewDispute);
    return c.json(change(() => payments.openDispute(dispute)));
  });
  app.post('/control/disputes/:id', async (c) => {
    const { status } = await readJson(c, ChangedDispute);
    return c.json(change(() => refused(() => payments.changeDispute(c.req.param('id'), status))));
  });
  app.post('/control/refunds', async (c) => {
    const wanted = await readJson(c, NewRefund);
    return c.json(change(() => refund(payments, wanted)));
  });
  app.post('/control/cards/:method/renew', async (c) => {
    const card = await readJson(c, RenewedCard);
    return c.json(change(() => store.renewCard(c.req.param('method'), card)));
  });
  app.post('/control/cards/:method/leave-loose', (c) =>
    c.json(change(() => store.leaveLoose(c.req.param('method')))),
  );
  app.route('/cards', panelRoutes(ctx, parts));
  return app;
}

/** The page of payments and what its buttons do. */
function panelRoutes(ctx: SandboxContext, { payments, setups, events }: Parts): Hono {
  const app = new Hono();
  const change = <T>(work: () => T): T => inTransaction(ctx.db, work);
  app.get('/', (c) => {
    const page = cardsPage({ payments, setups, events: events.recentEvents(), now: ctx.now() });
    return c.html(page, 200, PAGE_HEADERS);
  });
  app.post('/disputes', async (c) => {
    const dispute = check(NewDispute, await c.req.parseBody());
    change(() => payments.openDispute(dispute));
    return c.redirect('/cards', 303);
  });
  app.post('/disputes/:id', async (c) => {
    const { status } = check(ChangedDispute, await c.req.parseBody());
    change(() => refused(() => payments.changeDispute(c.req.param('id'), status)));
    return c.redirect('/cards', 303);
  });
  app.post('/refunds', async (c) => {
    const wanted = check(NewRefund, await c.req.parseBody());
    change(() => refund(payments, wanted));
    return c.redirect('/cards', 303);
  });
  return app;
}

/** Without our product: nothing says which of its refunds it would be. @throws Refusal */
function refund(
  payments: Payments,
  { charge, amountCents: amount }: v.InferOutput<typeof NewRefund>,
): object {
  const fields = { payment_intent: charge, ...(amount && { amount: String(amount) }) };
  return refused(() => payments.createRefund(fields).body);
}

/** What the gateway refuses the product, it refuses whoever plays the bank. @throws Refusal */
function refused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof GatewayRefusal ? new Refusal('input', error.message) : error;
  }
}

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'",
};
