import type { Stripe } from 'stripe';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { PayerTyped } from '../../site/pay-page.ts';
import type { CardStore, CardStoreDeps } from '../card-store.ts';
import { type FormFields, groupField, textField, textGroup, urlField } from '../form.ts';
import { done, type GatewayAnswer, getRow, invalid, missing } from '../gateway-answer.ts';
import { SESSION_EMPTY } from '../never-filled.ts';
import { metadataOf, secondsOf, textOr } from '../row.ts';
import { readCustomer } from '../intents/intent-fields.ts';
import type { SetupIntents } from '../intents/setup-intents.ts';
import type { Payments } from '../payments.ts';

/** What a page of the gateway's own asks for. */
export interface Session {
  id: string;
  mode: 'payment' | 'setup';
  /** Empty: none. */
  customer: string;
  /** The set-up intent from the start, the payment intent from the first attempt on; empty: none. */
  intent: string;
  amountCents: number;
  status: 'open' | 'complete' | 'expired';
  successUrl: string;
  cancelUrl: string | null;
  asksAddress: boolean;
  /** What the shop says beside the button. */
  note: string | null;
}

/**
 * The gateway's own payment page, for whoever can't use its fields.
 *
 *   open --+-- the intent succeeded --> complete
 *          +-- expired by the product, or by time --> expired (the intent is canceled)
 *
 * Both ends are final. It is looked at whenever somebody reads it, and with each tick.
 */
export interface CheckoutSessions {
  createSession(fields: FormFields): GatewayAnswer;
  readSession(id: string): GatewayAnswer;
  expireSession(id: string): GatewayAnswer;
  findShown(id: string): object | undefined;
  findSession(id: string): Session | undefined;
  /** What the page's form does. @throws GatewayRefusal */
  pay(id: string, card: TypedCard): Paid;
  /** @throws GatewayRefusal for an intent that only its session may move */
  refuseOwned(intent: string): void;
  settleOpen(): void;
}

export interface TypedCard extends PayerTyped {
  number: string;
  expiry: string;
  code: string;
}

/** Where the cardholder goes next, or what to say. */
export type Paid = { to: string } | { problem: string };

interface SessionParts {
  store: CardStore;
  payments: Payments;
  setups: SetupIntents;
  /** Where the pages are. */
  pageUrl: string;
}

const LIFE_MS = DAY_MS;
/** No page may be over sooner (docs.stripe.com/payments/checkout/managing-limited-inventory). */
const SHORTEST_LIFE_MS = 30 * MINUTE_MS;

export function openCheckoutSessions(deps: CardStoreDeps, parts: SessionParts): CheckoutSessions {
  const { db, now, newId, tell, asOwnerOf } = deps;
  const { payments, setups, store } = parts;
  const { insert, select, open, end, setIntent, owned } = prepare(db);
  const show = (row: Record<string, unknown>): object => showSession(row, parts.pageUrl);
  const finish = (row: Record<string, unknown>, status: 'complete' | 'expired'): void => {
    const id = String(row['id']);
    end.run(status, id);
    const type = status === 'complete' ? 'completed' : 'expired';
    asOwnerOf(id, () => tell(`checkout.session.${type}`, show(select.get(id) ?? {})));
  };
  const expire = (row: Record<string, unknown>): void => {
    const intent = String(row['intent']);
    const { machine } = row['mode'] === 'setup' ? setups : payments;
    if (intent !== '') asOwnerOf(intent, () => machine.cancel(intent, 'abandoned'));
    finish(row, 'expired');
  };
  const settle = (row: Record<string, unknown>): void => {
    const intent = String(row['intent']);
    const found: { status?: string } | undefined =
      intent === '' ? undefined : (payments.findIntent(intent) ?? setups.findSetup(intent));
    const isOver = now() >= Number(row['expires_at']) && found?.status !== 'processing';
    if (found?.status === 'succeeded') finish(row, 'complete');
    else if (isOver) expire(row);
  };
  const get = (id: string): Record<string, unknown> => {
    const row = getRow(select, 'checkout.session', id);
    if (row['status'] === 'open') settle(row);
    return select.get(id) ?? row;
  };
  return {
    createSession(fields) {
      const session = readNew(fields, store);
      const id = newId('cs_test');
      const { mode, customer, data } = session;
      const asked = { ...data, ...(customer !== '' && { customer }) };
      const intent = mode === 'setup' ? idIn(setups.createSetup(asked)) : '';
      const expiresAt = readEnd(fields, now());
      insert.run(...session.columns, JSON.stringify(data), id, intent, now(), expiresAt);
      return done(show(get(id)));
    },
    readSession: (id) => done(show(get(id))),
    expireSession(id) {
      const row = get(id);
      if (row['status'] !== 'open') throw invalid('id', NOT_OPEN);
      expire(row);
      return done(show(get(id)));
    },
    findShown: (id) => select.all(id).map(show).at(0),
    findSession: (id) => (select.get(id) ? toSession(get(id)) : undefined),
    pay: (id, card) => payOf({ ...parts, setIntent, get }, id, card),
    refuseOwned(intent) {
      if (owned.get(intent)) throw invalid('intent', OWNED);
    },
    settleOpen: () => open.all().forEach(settle),
  };
}

const OWNED =
  'You cannot confirm or cancel a SetupIntent of a Checkout Session. Expire the Checkout Session instead.';
const NOT_OPEN = 'Only Checkout Sessions with a status in ["open"] can be expired.';

interface Paying extends SessionParts {
  setIntent: ReturnType<typeof prepare>['setIntent'];
  get: (id: string) => Record<string, unknown>;
}

/** One attempt with one card; a refusal of the bank stays, as any. */
function payOf(paying: Paying, id: string, card: TypedCard): Paid {
  const { store, payments, setups, pageUrl } = paying;
  const row = paying.get(id);
  const session = toSession(row);
  const { line1, line2, city, state, postal_code, country } = card;
  if (session.asksAddress && [line1, city, postal_code, country].includes('')) {
    return { problem: 'Please enter your billing address.' };
  }
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim());
  const typed = { number: card.number, exp_month: month, exp_year: year, cvc: card.code };
  const address = { line1, line2, city, state, postal_code, country };
  const billing = { name: card.name, ...(session.asksAddress && { address }) };
  const made = store.createMethod({ type: 'card', card: typed, billing_details: billing });
  if (made.status !== 200) return toPaid(session, made);
  const confirmation = { payment_method: idIn(made), return_url: `${pageUrl}/${id}` };
  if (session.mode === 'setup') {
    return toPaid(session, setups.confirmSetup(session.intent, confirmation));
  }
  const intent = session.intent === '' ? begin(paying, row) : session.intent;
  return toPaid(session, payments.confirmIntent(intent, confirmation));
}

/** The payment intent of a session; it begins with the first card. */
function begin({ payments, setIntent }: Paying, row: Record<string, unknown>): string {
  const { id, amountCents, customer } = toSession(row);
  const data = JSON.parse(String(row['data'])) as FormFields;
  const asked = { ...data, amount: String(amountCents), currency: 'usd' };
  const whose = customer === '' ? asked : { ...asked, customer };
  const intent = idIn(payments.createIntent(whose, undefined));
  setIntent.run(intent, id);
  return intent;
}

const idIn = ({ body }: GatewayAnswer): string => ('id' in body ? String(body.id) : '');

function toPaid(session: Session, { status, body }: GatewayAnswer): Paid {
  if (status === 200) return { to: nextAddress(session, body) };
  const { error } = body as { error?: { message?: string } };
  return { problem: error?.message ?? 'Your card was declined.' };
}

function nextAddress(session: Session, intent: object): string {
  const { next_action: action } = intent as {
    next_action?: { redirect_to_url?: { url: string } } | null;
  };
  return action?.redirect_to_url?.url ?? successAddress(session);
}

export const successAddress = ({ id, successUrl }: Session): string =>
  successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);

/** @throws GatewayRefusal */
function readNew(fields: FormFields, store: CardStore) {
  const mode = textField(fields, 'mode');
  if (mode !== 'payment' && mode !== 'setup') {
    throw invalid('mode', 'Invalid mode: must be one of payment or setup');
  }
  const customer = readCustomer(fields, store);
  const successUrl = urlField(fields, 'success_url');
  if (successUrl === null) throw missing('success_url');
  const cancelUrl = urlField(fields, 'cancel_url');
  const amount = mode === 'payment' ? readAmount(fields) : 0;
  const metadata = JSON.stringify(textGroup(fields, 'metadata'));
  const reference = textField(fields, 'client_reference_id') ?? null;
  const data = groupField(fields, `${mode}_intent_data`);
  const address = textField(fields, 'billing_address_collection') ?? null;
  if (address !== null && !['auto', 'required'].includes(address)) {
    throw invalid('billing_address_collection', 'Must be one of auto or required');
  }
  const submit = groupField(groupField(fields, 'custom_text'), 'submit');
  const note = textField(submit, 'message') ?? null;
  const where = [successUrl, cancelUrl, metadata, reference, address, note] as const;
  return { mode, customer, data, columns: [mode, customer, amount, ...where] as const };
}

/** @throws GatewayRefusal */
function readEnd(fields: FormFields, nowMs: number): number {
  const told = textField(fields, 'expires_at');
  if (told === undefined) return nowMs + LIFE_MS;
  // Whole seconds are told of a moment that has some.
  const lifeMs = Number(told) * 1000 - nowMs + 1000;
  if (lifeMs >= SHORTEST_LIFE_MS && lifeMs <= LIFE_MS + 1000) return Number(told) * 1000;
  const bound = lifeMs > LIFE_MS ? 'less than 24 hours' : 'at least 30 minutes';
  throw invalid(
    'expires_at',
    `The \`expires_at\` timestamp must be ${bound} from Checkout Session creation.`,
  );
}

/** The sum of the lines. @throws GatewayRefusal */
function readAmount(fields: FormFields): number {
  const lines = Object.values(groupField(fields, 'line_items'));
  if (lines.length === 0) throw missing('line_items');
  const cents = lines.map((line) => {
    const { price_data: price = {}, quantity = '1' } = typeof line === 'string' ? {} : line;
    const unit = typeof price === 'string' ? undefined : textField(price, 'unit_amount');
    return Number(unit ?? Number.NaN) * Number(quantity);
  });
  const sum = cents.reduce((total, each) => total + each, 0);
  if (Number.isInteger(sum) && sum >= 50) return sum;
  throw invalid('line_items', 'Each line needs price_data[unit_amount] and a quantity.');
}

function prepare(db: CardStoreDeps['db']) {
  const insert =
    db.prepare(`insert into card_session (mode, customer, amount, success_url, cancel_url,
    metadata, reference, address, note, data, id, intent, created_at, expires_at, status)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`);
  const select = db.prepare('select * from card_session where id = ?');
  const open = db.prepare("select * from card_session where status = 'open'");
  const end = db.prepare('update card_session set status = ? where id = ?');
  const setIntent = db.prepare('update card_session set intent = ? where id = ?');
  const owned = db.prepare("select 1 from card_session where intent = ? and mode = 'setup'");
  return { insert, select, open, end, setIntent, owned };
}

function toSession(row: Record<string, unknown>): Session {
  return {
    id: String(row['id']),
    mode: row['mode'] as Session['mode'],
    customer: String(row['customer']),
    intent: String(row['intent']),
    amountCents: Number(row['amount']),
    status: row['status'] as Session['status'],
    successUrl: String(row['success_url']),
    cancelUrl: textOr(row['cancel_url'], null),
    asksAddress: row['address'] === 'required',
    note: textOr(row['note'], null),
  };
}

function showSession(row: Record<string, unknown>, pageUrl: string): Stripe.Checkout.Session {
  const { asksAddress, ...session } = toSession(row);
  const { id, mode, customer, intent, amountCents, status, successUrl, cancelUrl, note } = session;
  const isPaid = mode === 'payment' && status === 'complete';
  return {
    id,
    object: 'checkout.session',
    ...SESSION_EMPTY,
    amount_subtotal: mode === 'payment' ? amountCents : null,
    amount_total: mode === 'payment' ? amountCents : null,
    billing_address_collection: asksAddress ? 'required' : null,
    cancel_url: cancelUrl,
    client_reference_id: textOr(row['reference'], null),
    created: secondsOf(row['created_at']),
    currency: mode === 'payment' ? 'usd' : null,
    custom_text: { ...SESSION_EMPTY.custom_text, submit: note === null ? null : { message: note } },
    customer: customer === '' ? null : customer,
    expires_at: secondsOf(row['expires_at']),
    metadata: metadataOf(row),
    mode,
    payment_intent: mode === 'payment' && intent !== '' ? intent : null,
    payment_method_types: ['card'],
    payment_status: mode === 'setup' ? 'no_payment_required' : isPaid ? 'paid' : 'unpaid',
    setup_intent: mode === 'setup' ? intent : null,
    status,
    success_url: successUrl,
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${pageUrl}/${id}` : null,
  };
}
