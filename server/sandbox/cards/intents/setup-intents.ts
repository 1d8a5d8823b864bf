import type { Stripe } from 'stripe';
import type { Bank } from './bank.ts';
import type { CardStore, CardStoreDeps } from '../card-store.ts';
import { type FormFields, textField } from '../form.ts';
import {
  cardRefused,
  done,
  type GatewayAnswer,
  getRow,
  listPage,
  preparePage,
} from '../gateway-answer.ts';
import { metadataOf, secondsOf, textOr } from '../row.ts';
import { lastError, nextAction, readConfirmation, readNewIntent } from './intent-fields.ts';
import { SETUP_INTENT_EMPTY } from '../never-filled.ts';
import {
  type Confirmation,
  type Intent,
  type IntentMachine,
  type IntentStatus,
  openMachine,
  toIntent,
} from './intent-machine.ts';

/** Cards are made ready for later charges; no money moves. */
export interface SetupIntents {
  createSetup(fields: FormFields): GatewayAnswer;
  readSetup(id: string): GatewayAnswer;
  confirmSetup(id: string, fields: FormFields): GatewayAnswer;
  cancelSetup(id: string, fields: FormFields): GatewayAnswer;
  listSetups(query: Record<string, string>): GatewayAnswer;
  isSetupSecret(id: string, secret: string): boolean;
  findSetup(id: string): object | undefined;
  /** Newest first. */
  recentSetups(): Stripe.SetupIntent[];
  machine: IntentMachine;
}

export function openSetupIntents(
  deps: CardStoreDeps,
  { store, bank }: { store: CardStore; bank: Bank },
): SetupIntents {
  const { db, now, newId, tell } = deps;
  const insert = db.prepare(`insert into card_setup (customer, method, description, metadata,
    status, usage, id, created_at, secret) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('select * from card_setup where id = ?');
  const page = preparePage(db, 'card_setup', 'customer');
  const recent = db.prepare('select * from card_setup order by no desc limit ?');
  const show = (row: Record<string, unknown>): Stripe.SetupIntent =>
    showSetup(row, store, deps.bankUrl);
  const get = (id: string): Record<string, unknown> => getRow(select, 'setup_intent', id);
  const read = (id: string): object => show(get(id));
  const onMoved = ({ id, status }: Intent): void => {
    const type = EVENTS[status];
    if (type !== undefined) tell(type, read(id));
  };
  const machine = openMachine(deps, { kind: 'setup', store, bank, onMoved, show: read });
  const confirm = (id: string, confirmation: Confirmation): GatewayAnswer => {
    const refusal = machine.confirm(id, confirmation);
    const shown = read(id);
    return refusal ? cardRefused({ ...refusal, setup_intent: shown }) : done(shown);
  };
  return {
    createSetup(fields) {
      const { first, confirmation } = readNew(fields, store);
      const id = newId('seti');
      insert.run(...first, id, now(), `${id}_${newId('secret')}`);
      return confirmation ? confirm(id, confirmation) : done(read(id));
    },
    readSetup: (id) => done(read(id)),
    confirmSetup: (id, fields) => confirm(id, readConfirmation(fields, toIntent(get(id)), store)),
    cancelSetup(id, fields) {
      get(id);
      machine.cancel(id, textField(fields, 'cancellation_reason') ?? null);
      return done(read(id));
    },
    listSetups(query) {
      const filter = query['customer'];
      const list = { url: '/v1/setup_intents', filter, pattern: deps.pattern(), show };
      return listPage(page, query, list);
    },
    isSetupSecret: (id, secret) => secret !== '' && get(id)['secret'] === secret,
    findSetup(id) {
      const row = select.get(id);
      return row && show(row);
    },
    recentSetups: () => recent.all(SHOWN).map((row) => show(row)),
    machine,
  };
}

const SHOWN = 20;

const EVENTS: Partial<Record<IntentStatus, string>> = {
  requires_payment_method: 'setup_intent.setup_failed',
  requires_action: 'setup_intent.requires_action',
  succeeded: 'setup_intent.succeeded',
  canceled: 'setup_intent.canceled',
};

/** The first columns of a new intent, and its confirmation when it is confirmed at once. @throws GatewayRefusal */
function readNew(fields: FormFields, store: CardStore) {
  const intent = readNewIntent(fields, store, 'usage');
  const { customer, method, description, metadata, status, isConfirmed } = intent;
  const usage = intent.usage ?? 'off_session';
  return {
    first: [customer, method, description, metadata, status, usage] as const,
    confirmation: isConfirmed ? readConfirmation(fields, intent, store) : undefined,
  };
}

function showSetup(
  row: Record<string, unknown>,
  store: CardStore,
  bankUrl: string,
): Stripe.SetupIntent {
  const intent = toIntent(row);
  const { id, status, customer } = intent;
  const hasMethod = status !== 'requires_payment_method' && intent.method !== '';
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    cancellation_reason: intent.cancelReason,
    client_secret: String(row['secret']),
    created: secondsOf(row['created_at']),
    customer: customer === '' ? null : customer,
    description: textOr(row['description'], null),
    last_setup_error: lastError(intent, store),
    ...SETUP_INTENT_EMPTY,
    metadata: metadataOf(row),
    next_action: nextAction(intent, bankUrl),
    payment_method: hasMethod ? intent.method : null,
    payment_method_types: ['card'],
    status,
    usage: intent.usage ?? 'off_session',
  };
}
