import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { SandboxContext } from '../../context.ts';
import { check, readJson, Refusal } from '../../refusal.ts';
import { type BankAsks, bankDonePage, bankPage } from '../../site/bank-page.ts';
import { inTransaction } from '../../state.ts';
import type { CardStore } from '../card-store.ts';
import type { Decision, Intent } from './intent-machine.ts';
import type { Payments } from '../payments.ts';
import type { SetupIntents } from './setup-intents.ts';

const DECISIONS: readonly Decision[] = ['confirm', 'refuse', 'wait'];
const Answered = v.object({ decision: v.picklist([...DECISIONS, 'close']) });
const Decided = v.object({ decision: v.picklist(DECISIONS) });

interface Parts {
  store: CardStore;
  payments: Payments;
  setups: SetupIntents;
}

/**
 * Where cardholders answer their banks: the page `/bank/:attempt`, which goes back to `return_url` with the
 * intent, its client secret and `redirect_status`; and `POST /control/bank/:intent {decision}`, also while the bank takes
 * its time.
 */
export function confirmRoutes(ctx: SandboxContext, { store, payments, setups }: Parts): Hono {
  const app = new Hono();
  const machines = [payments.machine, setups.machine];
  const findAttempt = (attempt: string): Intent | undefined =>
    machines.map((machine) => machine.findAttempt(attempt)).find((found) => found !== undefined);
  const decide = (attempt: string, decision: Decision): void =>
    inTransaction(ctx.db, () => {
      for (const machine of machines) machine.decide(attempt, decision);
    });
  const find = (id: string): ShownIntent => payments.findIntent(id) ?? setups.findSetup(id) ?? {};

  app.get('/bank/closed', (c) => send(c, bankDonePage('You left without an answer.')));
  const leave = (c: Context, intent: Intent | undefined): Response | Promise<Response> =>
    intent?.returnUrl
      ? c.redirect(wayBack(intent.returnUrl, find(intent.id)), 303)
      : send(c, bankDonePage('There is nothing more to confirm.'), true);

  app.get('/bank/:attempt', (c) => {
    const attempt = c.req.param('attempt');
    const intent = findAttempt(attempt);
    if (intent?.status !== 'requires_action') return leave(c, intent);
    return send(c, bankPage(asked(attempt, intent, { find, store })), intent.returnUrl === null);
  });
  app.post('/bank/:attempt', async (c) => {
    const attempt = c.req.param('attempt');
    const { decision } = check(Answered, await c.req.parseBody());
    if (decision === 'close') return c.redirect('/bank/closed', 303);
    decide(attempt, decision);
    return leave(c, findAttempt(attempt));
  });
  const decideIntent = (id: string, decision: Decision): void => {
    const attempts = machines.map((machine) => machine.attemptOf(id));
    const attempt = attempts.find((each) => each !== undefined);
    if (attempt === undefined) throw new Refusal('input', 'intent: nothing waits for its bank');
    decide(attempt, decision);
  };
  app.post('/control/bank/:intent', async (c) => {
    const { decision } = await readJson(c, Decided);
    decideIntent(c.req.param('intent'), decision);
    return c.json(find(c.req.param('intent')));
  });
  app.post('/cards/bank/:intent', async (c) => {
    const { decision } = check(Decided, await c.req.parseBody());
    decideIntent(c.req.param('intent'), decision);
    return c.redirect('/cards', 303);
  });
  return app;
}

interface ShownIntent {
  id?: string;
  amount?: number;
  status?: string;
  client_secret?: string;
}

function asked(
  attempt: string,
  intent: Intent,
  { find, store }: { find: (id: string) => ShownIntent; store: CardStore },
): BankAsks {
  return {
    action: `/bank/${attempt}`,
    amountCents: find(intent.id).amount,
    last4: store.getMethod(intent.method, 404).last4,
    isFramed: intent.returnUrl === null,
  };
}

/** As the gateway comes back: parameters beside those that the address has already. */
function wayBack(
  returnUrl: string,
  { id = '', status, client_secret: secret = '' }: ShownIntent,
): string {
  const url = new URL(returnUrl);
  const kind = id.startsWith('seti_') ? 'setup_intent' : 'payment_intent';
  url.searchParams.set(kind, id);
  url.searchParams.set(`${kind}_client_secret`, secret);
  url.searchParams.set('redirect_status', REDIRECT_STATUS[status ?? ''] ?? 'failed');
  return url.href;
}

const REDIRECT_STATUS: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  processing: 'pending',
  requires_action: 'pending',
};

/** No `form-action`: an answer is led back to the shop. */
function send(
  c: Context,
  page: ReturnType<typeof bankPage>,
  isFramed = false,
): Response | Promise<Response> {
  const frame = isFramed ? '' : "; frame-ancestors 'none'";
  return c.html(page, 200, {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'self'; base-uri 'none'; object-src 'none'${frame}`,
    'referrer-policy': 'same-origin',
  });
}
