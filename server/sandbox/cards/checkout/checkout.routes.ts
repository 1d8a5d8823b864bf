import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { SandboxContext } from '../../context.ts';
import { check } from '../../refusal.ts';
import { payOverPage, payPage } from '../../site/pay-page.ts';
import { inTransaction } from '../../state.ts';
import type { AccountIds } from '../account-ids.ts';
import type { CallHandler } from '../handler.ts';
import { type CheckoutSessions, type Session, successAddress } from './sessions.ts';

/** Checkout Sessions of the API. */
export function sessionCalls(handle: CallHandler, sessions: CheckoutSessions): Hono {
  const api = new Hono();
  api.post('/checkout/sessions', (c) =>
    handle(c, 'cards.sessions', ({ fields }) => sessions.createSession(fields)),
  );
  api.get('/checkout/sessions/:id', (c) =>
    handle(c, 'cards.sessions', () => sessions.readSession(c.req.param('id'))),
  );
  api.post('/checkout/sessions/:id/expire', (c) =>
    handle(c, 'cards.sessions', () => sessions.expireSession(c.req.param('id'))),
  );
  return api;
}

const Paid = v.object({
  number: v.string(),
  expiry: v.string(),
  code: v.string(),
  name: v.string(),
  line1: v.optional(v.string(), ''),
  line2: v.optional(v.string(), ''),
  city: v.optional(v.string(), ''),
  state: v.optional(v.string(), ''),
  postal_code: v.optional(v.string(), ''),
  country: v.optional(v.string(), ''),
});

/** The page `/pay/:session`; banks lead back to it, and it leads on to the shop. */
export function checkoutPages(
  ctx: SandboxContext,
  sessions: CheckoutSessions,
  ids: AccountIds,
): Hono {
  const app = new Hono();
  const inSession = <T>(id: string, work: () => T): T =>
    inTransaction(ctx.db, () => ids.asOwnerOf(id, work));
  app.get('/pay/:id', (c) => {
    const id = c.req.param('id');
    const session = inSession(id, () => sessions.findSession(id));
    if (session?.status === 'complete') return c.redirect(successAddress(session), 303);
    if (session?.status !== 'open') return over(c, 'This page is over.', session);
    const status = c.req.query('redirect_status');
    if (status === 'pending') return over(c, 'Your bank is still deciding.', session);
    const problem = status === 'failed' ? 'Your bank didn’t agree. Try another card.' : undefined;
    return c.html(payPage({ ...shownOf(session), problem }), 200, HEADERS);
  });
  app.post('/pay/:id', async (c) => {
    const id = c.req.param('id');
    const card = check(Paid, await c.req.parseBody());
    const session = inSession(id, () => sessions.findSession(id));
    if (session?.status !== 'open') return c.redirect(`/pay/${id}`, 303);
    const answer = inSession(id, () => sessions.pay(id, card));
    if ('to' in answer) return c.redirect(answer.to, 303);
    const page = payPage({ ...shownOf(session), typed: card, problem: answer.problem });
    return c.html(page, 400, HEADERS);
  });
  return app;
}

function over(
  c: Context,
  sentence: string,
  session: Session | undefined,
): Response | Promise<Response> {
  return c.html(payOverPage(sentence, session?.cancelUrl ?? null), 200, HEADERS);
}

const shownOf = ({ id, mode, amountCents, cancelUrl, asksAddress, note }: Session) => ({
  action: `/pay/${id}`,
  amountCents: mode === 'payment' ? amountCents : undefined,
  cancelUrl,
  asksAddress,
  note,
});

/** No `form-action`: who has paid is led to the shop or the bank. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};
