import { MINUTE_MS } from '#shared/domain/durations.ts';
import { type Bank, type BankRefusal, MUST_CONFIRM, type Verdict } from './bank.ts';
import type { CardStore, CardStoreDeps } from '../card-store.ts';
import type { CardMethod } from '../methods.ts';
import { type ErrorDetails, GatewayRefusal } from '../gateway-answer.ts';
import { textOr } from '../row.ts';

/**
 * How payment and set-up intents move. A bank is asked where the arrows part.
 *
 *   requires_payment_method -- a card --> requires_confirmation -- confirm --+-- yes ----> succeeded
 *              ^                                                             +-- asks ---> requires_action
 *              +------------------------ no (with the error) ----------------+
 *   requires_action --+-- confirmed --> the bank decides: succeeded, or requires_payment_method
 *                     +-- refused ----> requires_payment_method (…_intent_authentication_failure)
 *                     +-- later ------> processing --> the bank decides
 *   all but succeeded and processing -- cancel --> canceled
 *
 * succeeded and canceled are final. Money moves once, on the way into succeeded. An attempt begins when
 * the bank asks; its key is the address of the bank's page, and a new attempt ends the one before.
 */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled';

export interface Intent {
  id: string;
  /** Empty: none. */
  customer: string;
  /** Of the last attempt; empty: none. */
  method: string;
  status: IntentStatus;
  /** JSON of the last refusal. */
  error: string | null;
  usage: string | null;
  /** Set: the cardholder is sent to the bank and back; otherwise the browser's script shows the bank. */
  returnUrl: string | null;
  attempt: string | null;
  settleAt: number | null;
  canceledAt: number | null;
  cancelReason: string | null;
  /** The last card that its bank has refused; stays, whichever card comes next. */
  declinedMethod: string | null;
}

export interface Confirmation {
  method: CardMethod;
  isOffSession: boolean;
  returnUrl: string | null;
  /** Whoever needs the cardholder gets a refusal instead. */
  isRefusedWhenAsked: boolean;
}

/** What a cardholder does on the bank's page. */
export type Decision = 'confirm' | 'refuse' | 'wait';

export interface IntentMachine {
  /** @throws GatewayRefusal in a state that has no way there */
  confirm(id: string, confirmation: Confirmation): BankRefusal | undefined;
  cancel(id: string, reason: string | null): void;
  /** Of the last attempt, waiting or over. */
  findAttempt(attempt: string): Intent | undefined;
  /** Undefined once its bank has decided, or before one was asked. */
  attemptOf(id: string): string | undefined;
  /** Does nothing once the bank has decided. */
  decide(attempt: string, decision: Decision): void;
  /** Lets banks decide what they had deferred until now. */
  settleDue(): void;
}

interface MachineOptions {
  kind: 'payment' | 'setup';
  store: CardStore;
  bank: Bank;
  /** The intent as the API shows it: refusals bring it along. */
  show: (id: string) => object;
  /** Called after each change of the status, in its transaction. */
  onMoved: (intent: Intent) => void;
}

const NAMES = { payment: 'PaymentIntent', setup: 'SetupIntent' };
const TABLES = { payment: 'card_intent', setup: 'card_setup' };
/** How long a bank that decides later takes. */
const LATER_MS = 5 * MINUTE_MS;

export function openMachine(deps: CardStoreDeps, options: MachineOptions): IntentMachine {
  const { now, newId } = deps;
  const { kind, store, bank, onMoved } = options;
  const { get, find, listDue, save } = statements(deps, TABLES[kind]);
  const move = (intent: Intent): void => {
    save(intent);
    deps.asOwnerOf(intent.id, () => onMoved(intent));
  };
  const refuse = (intent: Intent, error: ErrorDetails): void =>
    move({ ...intent, status: 'requires_payment_method', settleAt: null, error: json(error) });
  const settle = (intent: Intent, verdict: Verdict): void => {
    if (verdict.kind === 'no') {
      const declined = { ...intent, declinedMethod: intent.method };
      return refuse(declined, { type: 'card_error', ...verdict.refusal });
    }
    const isKept = kind === 'setup' || intent.usage !== null;
    const isSetUp = kind === 'setup' || intent.usage === 'off_session';
    store.settleMethod(intent.method, { customer: intent.customer, isSetUp, isKept });
    return move({ ...intent, status: 'succeeded', settleAt: null, error: null });
  };
  const decideNow = (intent: Intent): void => {
    const method = store.getMethod(intent.method, 400);
    const question = { method, isSetUp: kind === 'setup', isOffSession: false, isConfirmed: true };
    settle(intent, bank(question));
  };
  return {
    confirm(id, { method, isOffSession, returnUrl, isRefusedWhenAsked }) {
      const intent = { ...get(id), method: method.id, returnUrl };
      if (!CONFIRMABLE.has(intent.status)) throw wrongState(options, 'confirm', intent);
      const question = { method, isSetUp: kind === 'setup', isOffSession, isConfirmed: false };
      const told = bank(question);
      const isRefused = told.kind === 'asks' && isRefusedWhenAsked;
      const verdict: Verdict = isRefused ? { kind: 'no', refusal: MUST_CONFIRM } : told;
      if (verdict.kind === 'asks') {
        const attempt = newId('payatt');
        move({ ...intent, status: 'requires_action', error: null, attempt, settleAt: null });
      } else settle(intent, verdict);
      return verdict.kind === 'no' ? verdict.refusal : undefined;
    },
    cancel(id, reason) {
      const intent = get(id);
      if (!CANCELABLE.has(intent.status)) throw wrongState(options, 'cancel', intent);
      const ended = { status: 'canceled', settleAt: null } as const;
      move({ ...intent, ...ended, canceledAt: now(), cancelReason: reason });
    },
    findAttempt: find,
    attemptOf(id) {
      const { status, attempt } = get(id);
      return WAITING.has(status) ? (attempt ?? undefined) : undefined;
    },
    decide(attempt, decision) {
      const intent = find(attempt);
      if (!intent || !WAITING.has(intent.status)) return;
      if (decision === 'confirm') decideNow(intent);
      else if (decision === 'refuse') refuse(intent, authenticationFailure(kind));
      else move({ ...intent, status: 'processing', settleAt: now() + LATER_MS });
    },
    settleDue: () => listDue().forEach(decideNow),
  };
}

function statements({ db, now }: CardStoreDeps, table: string) {
  const byId = db.prepare(`select * from ${table} where id = ?`);
  const byAttempt = db.prepare(`select * from ${table} where attempt = ?`);
  const due = db.prepare(`select * from ${table} where settle_at <= ? limit 100`);
  const update = db.prepare(`update ${table} set method = ?, status = ?, error = ?, return_url = ?,
    attempt = ?, settle_at = ?, canceled_at = ?, cancel_reason = ?, declined_method = ? where id = ?`);
  return {
    get: (id: string): Intent => toIntent(byId.get(id) ?? {}),
    find: (attempt: string): Intent | undefined => {
      const row = byAttempt.get(attempt);
      return row && toIntent(row);
    },
    listDue: (): Intent[] => due.all(now()).map(toIntent),
    save: ({ method, status, error, returnUrl, attempt, settleAt, ...intent }: Intent): void => {
      const { canceledAt, cancelReason, declinedMethod, id } = intent;
      const ended = [canceledAt, cancelReason, declinedMethod];
      const place = [returnUrl, attempt, settleAt, ...ended, id];
      update.run(method, status, error, ...place);
    },
  };
}

export function toIntent(row: Record<string, unknown>): Intent {
  const text = (name: string): string | null => textOr(row[name], null);
  const instant = (name: string): number | null => {
    const value = row[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    id: String(row['id']),
    customer: text('customer') ?? '',
    method: text('method') ?? '',
    status: row['status'] as IntentStatus,
    error: text('error'),
    usage: text('usage'),
    returnUrl: text('return_url'),
    attempt: text('attempt'),
    settleAt: instant('settle_at'),
    canceledAt: instant('canceled_at'),
    cancelReason: text('cancel_reason'),
    declinedMethod: text('declined_method'),
  };
}

/** Begins as the card it was given allows. */
export const firstStatus = (hasMethod: boolean): IntentStatus =>
  hasMethod ? 'requires_confirmation' : 'requires_payment_method';

const CONFIRMABLE: ReadonlySet<IntentStatus> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
]);
const CANCELABLE = CONFIRMABLE;
/** For a cardholder or a bank. */
const WAITING: ReadonlySet<IntentStatus> = new Set(['requires_action', 'processing']);

function wrongState(
  { kind, show }: MachineOptions,
  verb: string,
  { id, status }: Intent,
): GatewayRefusal {
  return new GatewayRefusal(400, {
    type: 'invalid_request_error',
    code: `${kind}_intent_unexpected_state`,
    message: `You cannot ${verb} this ${NAMES[kind]} because it has a status of ${status}.`,
    [`${kind}_intent`]: show(id),
  });
}

function authenticationFailure(kind: 'payment' | 'setup'): ErrorDetails {
  return {
    type: 'invalid_request_error',
    code: `${kind}_intent_authentication_failure`,
    message: `The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this ${NAMES[kind]} again.`,
  };
}

const json = (value: object): string => JSON.stringify(value);
