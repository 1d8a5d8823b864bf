import { Hono } from 'hono';
import * as v from 'valibot';
import { check, readJson } from '../control/read-json.ts';
import { Refusal } from '../refusal.ts';
import { cardsPage } from './cards-page.ts';
import { DISPUTE_STATUSES } from './disputes.ts';
import { GatewayRefusal } from './gateway-answer.ts';
import type { Till } from './till.ts';

const amountCents = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));
const NewDispute = v.object({
  charge: v.string(),
  amountCents,
  status: v.optional(v.picklist(DISPUTE_STATUSES)),
});
const ChangedDispute = v.object({ status: v.picklist(DISPUTE_STATUSES) });
const NewRefund = v.object({ charge: v.string(), amountCents });

/**
 * What banks, and an operator at the gateway's own desk, do with payments:
 * - `GET /control/charges`
 * - `POST /control/disputes {charge, amountCents?, status?}` and `POST /control/disputes/:id {status}`
 * - `POST /control/refunds {charge, amountCents?}`
 * - the page `/cards`, where a person can do the same
 */
export function bankRoutes(till: Till, now: () => number): Hono {
  const app = new Hono();
  app.get('/control/charges', (c) => c.json(till.listCharges()));
  app.post('/control/disputes', async (c) =>
    c.json(till.openDispute(await readJson(c, NewDispute))),
  );
  app.post('/control/disputes/:id', async (c) => {
    const { status } = await readJson(c, ChangedDispute);
    return c.json(till.changeDispute(c.req.param('id'), status));
  });
  app.post('/control/refunds', async (c) => c.json(refund(till, await readJson(c, NewRefund))));
  app.get('/cards', (c) => c.html(cardsPage(till, now()), 200, PAGE_HEADERS));
  app.post('/cards/disputes', async (c) => {
    till.openDispute(check(NewDispute, await c.req.parseBody()));
    return c.redirect('/cards', 303);
  });
  app.post('/cards/disputes/:id', async (c) => {
    const { status } = check(ChangedDispute, await c.req.parseBody());
    till.changeDispute(c.req.param('id'), status);
    return c.redirect('/cards', 303);
  });
  app.post('/cards/refunds', async (c) => {
    refund(till, check(NewRefund, await c.req.parseBody()));
    return c.redirect('/cards', 303);
  });
  return app;
}

/** Without our product: nothing says which of its refunds it would be. @throws Refusal */
function refund(
  till: Till,
  { charge, amountCents: amount }: v.InferOutput<typeof NewRefund>,
): object {
  try {
    const fields = { payment_intent: charge, ...(amount && { amount: String(amount) }) };
    return till.createRefund(fields).body;
  } catch (error) {
    throw error instanceof GatewayRefusal ? new Refusal('input', error.message) : error;
  }
}

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'",
};
