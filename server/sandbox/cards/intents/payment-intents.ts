import type { Stripe } from 'stripe';
import type { Bank } from './bank.ts';
import type { CardStore, CardStoreDeps } from '../card-store.ts';
import { chargeIdOf } from '../charges.ts';
import type { CardMethod } from '../methods.ts';
import { amountField, type FormFields, textField } from '../form.ts';
import {
  cardRefused,
  done,
  type GatewayAnswer,
  getRow,
  invalid,
  listPage,
  preparePage,
} from '../gateway-answer.ts';
import { metadataOf, secondsOf, textOr } from '../row.ts';
import { lastError, nextAction, readConfirmation, readNewIntent } from './intent-fields.ts';
import {
  type Confirmation,
  type Intent,
  type IntentMachine,
  type IntentStatus,
  openMachine,
  toIntent,
} from './intent-machine.ts';
import { PAYMENT_INTENT_EMPTY } from '../never-filled.ts';
import { INTENTS } from '../schema.ts';

export interface PaymentIntents {
  createIntent(fields: FormFields, idempotencyKey: string | undefined): GatewayAnswer;
  readIntent(id: string): GatewayAnswer;
  confirmIntent(id: string, fields: FormFields): GatewayAnswer;
  cancelIntent(id: string, fields: FormFields): GatewayAnswer;
  listIntents(query: Record<string, string>): GatewayAnswer;
  /** Whether it is what the browser was told along with the intent's id. */
  isIntentSecret(id: string, secret: string): boolean;
  findIntent(id: string): object | undefined;
  machine: IntentMachine;
}

interface PaymentIntentParts {
  store: CardStore;
  bank: Bank;
  /** Called in the transaction in which an intent's money moved. */
  onPaid: (id: string, method: CardMethod) => void;
}

export function openPaymentIntents(
  deps: CardStoreDeps,
  { store, bank, onPaid }: PaymentIntentParts,
): PaymentIntents {
  const { db, now, newId, tell } = deps;
  const insert =
    db.prepare(`insert into card_intent (customer, method, amount, currency, description,
    metadata, status, usage, id, idempotency_key, created_at, secret)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare(`${INTENTS} where id = ?`);
  const page = preparePage(db, 'card_intent', 'customer', INTENTS);
  const show = (row: Record<string, unknown>): object => showIntent(row, store, deps.bankUrl);
  const get = (id: string): Record<string, unknown> => getRow(select, 'payment_intent', id);
  const read = (id: string): object => show(get(id));
  const onMoved = (intent: Intent): void => {
    const type = EVENTS[intent.status];
    if (type !== undefined) tell(type, read(intent.id));
    if (intent.status === 'succeeded') onPaid(intent.id, store.getMethod(intent.method, 400));
  };
  const machine = openMachine(deps, { kind: 'payment', store, bank, onMoved, show: read });
  const confirm = (id: string, confirmation: Confirmation): GatewayAnswer => {
    const refusal = machine.confirm(id, confirmation);
    const shown = read(id);
    if (refusal) return cardRefused({ ...refusal, payment_intent: shown });
    return { ...done(shown), isHeldBack: confirmation.method.behaviour === 'answers_never' };
  };
  return {
    createIntent(fields, idempotencyKey) {
      const { first, confirmation } = readNew(fields, store);
      const id = newId('pi');
      const secret = `${id}_${newId('secret')}`;
      insert.run(...first, id, idempotencyKey ?? null, now(), secret);
      return confirmation ? confirm(id, confirmation) : done(read(id));
    },
    readIntent: (id) => done(read(id)),
    confirmIntent: (id, fields) => confirm(id, readConfirmation(fields, toIntent(get(id)), store)),
    cancelIntent(id, fields) {
      machine.cancel(String(get(id)['id']), textField(fields, 'cancellation_reason') ?? null);
      return done(read(id));
    },
    listIntents(query) {
      const after = query['starting_after'];
      if (after !== undefined) get(after);
      const list = { url: '/v1/payment_intents', filter: query['customer'] };
      return listPage(page, query, { ...list, pattern: deps.pattern(), show });
    },
    isIntentSecret: (id, secret) => secret !== '' && get(id)['secret'] === secret,
    findIntent(id) {
      const row = select.get(id);
      return row && show(row);
    },
    machine,
  };
}

const EVENTS: Partial<Record<IntentStatus, string>> = {
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
};

/** The first columns of a new intent, and its confirmation when it is confirmed at once. @throws GatewayRefusal */
function readNew(fields: FormFields, store: CardStore) {
  const amount = readAmount(fields);
  const intent = readNewIntent(fields, store, 'setup_future_usage');
  const { customer, method, description, metadata, status, usage, isConfirmed } = intent;
  if (!isConfirmed && textField(fields, 'off_session') === 'true') {
    throw invalid('off_session', 'off_session can only be used together with confirm.');
  }
  const what = [amount, 'usd', description, metadata, status, usage] as const;
  return {
    first: [customer, method, ...what] as const,
    confirmation: isConfirmed ? readConfirmation(fields, intent, store) : undefined,
  };
}

/** @throws GatewayRefusal */
function readAmount(fields: FormFields): number {
  const amount = amountField(fields);
  if (amount < 50) throw invalid('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  if (amount > 99_999_999) throw invalid('amount', 'Amount is too large', 'amount_too_large');
  if ((textField(fields, 'currency') ?? '').toLowerCase() !== 'usd') {
    throw invalid('currency', 'Only usd is taken here.');
  }
  return amount;
}

/** Whose bank was asked for money at least once. */
const isCharged = ({ status, error, declinedMethod }: Intent): boolean =>
  status === 'succeeded' || status === 'processing' || error !== null || declinedMethod !== null;

function showIntent(
  row: Record<string, unknown>,
  store: CardStore,
  bankUrl: string,
): Stripe.PaymentIntent {
  const intent = toIntent(row);
  const { id, status, customer, canceledAt } = intent;
  const amount = Number(row['amount']);
  const hasMethod = status !== 'requires_payment_method' && intent.method !== '';
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    allowed_payment_method_types: ['card'],
    ...PAYMENT_INTENT_EMPTY,
    canceled_at: canceledAt === null ? null : secondsOf(canceledAt),
    cancellation_reason: intent.cancelReason,
    capture_method: 'automatic',
    client_secret: String(row['secret']),
    confirmation_method: 'automatic',
    currency: String(row['currency']),
    customer: customer === '' ? null : customer,
    description: textOr(row['description'], null),
    payment_method: hasMethod ? intent.method : null,
    payment_method_types: ['card'],
    processing: status === 'processing' ? { type: 'card', card: {} } : null,
    latest_charge: isCharged(intent) ? chargeIdOf(id) : null,
    next_action: nextAction(intent, bankUrl),
    setup_future_usage: intent.usage,
    status,
    last_payment_error: lastError(intent, store),
    metadata: metadataOf(row),
    created: secondsOf(row['created_at']),
  };
}
