import { amountField } from './amount.ts';
import type { FormFields } from './form.ts';
import { textField, textGroup } from './form.ts';
import type { ErrorDetails, GatewayAnswer } from './gateway-answer.ts';
import { cardRefused, done, invalid, missing, unknownObject } from './gateway-answer.ts';
import { listPage } from './list-page.ts';
import { isExpired } from './read-card.ts';
import { type Disputes, openDisputes } from './disputes.ts';
import { openRefunds } from './refunds.ts';
import type { CardBehaviour } from './test-cards.ts';
import { INTENTS, TILL_SCHEMA } from './till-schema.ts';
import type { CardMethod, CardVault, VaultNature } from './vault.ts';
import { DECLINED } from './vault.ts';

/** One line of `GET /control/charges`: the gateway's own book, compared by invariant I5. */
export interface ChargeEntry {
  /** The payment intent. */
  id: string;
  amountCents: number;
  idempotencyKey: string | null;
  status: 'succeeded' | 'declined';
  refundedCents: number;
  customer: string;
  /** ISO instant. */
  at: string;
}

/** Payment intents (always off-session and confirmed at once), refunds, and disputes. */
export interface Till extends Disputes {
  createIntent(fields: FormFields, idempotencyKey: string | undefined): GatewayAnswer;
  readIntent(id: string): GatewayAnswer;
  listIntents(query: Record<string, string>): GatewayAnswer;
  createRefund(fields: FormFields): GatewayAnswer;
  readRefund(id: string): GatewayAnswer;
  listRefunds(query: Record<string, string>): GatewayAnswer;
  listCharges(): ChargeEntry[];
}

export function openTill(nature: VaultNature, vault: CardVault): Till {
  const { db } = nature;
  db.exec(TILL_SCHEMA);
  const all = db.prepare(`${INTENTS} order by no`);
  return {
    ...intentPart(nature, vault),
    ...openRefunds(nature),
    ...openDisputes(nature),
    listCharges: () =>
      all.all().map((row) => ({
        id: String(row['id']),
        amountCents: Number(row['amount']),
        idempotencyKey: row['idempotency_key'] === null ? null : String(row['idempotency_key']),
        status: row['error'] === null ? 'succeeded' : 'declined',
        refundedCents: Number(row['refunded']),
        customer: String(row['customer']),
        at: new Date(Number(row['created_at'])).toISOString(),
      })),
  };
}

function intentPart({ db, now, newId }: VaultNature, vault: CardVault) {
  const insert = db.prepare(`insert into card_intent (id, customer, method, amount, currency,
    description, metadata, error, idempotency_key, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare(`${INTENTS} where id = ?`);
  const page = db.prepare(`${INTENTS} where (?1 is null or customer = ?1)
    and (?4 is null or created_at >= ?4)
    and (?2 is null or no < (select no from card_intent where id = ?2)) order by no desc limit ?3`);
  const show = (id: string): object => {
    const row = select.get(id);
    if (!row) throw unknownObject('payment_intent', id, 404);
    return showIntent(row);
  };
  return {
    createIntent(fields: FormFields, idempotencyKey: string | undefined): GatewayAnswer {
      const { amount, customer, method } = readIntent(fields, vault);
      const refusal = isExpired(method, now()) ? EXPIRED : REFUSALS[method.behaviour];
      const id = newId('pi');
      const description = textField(fields, 'description') ?? null;
      const metadata = JSON.stringify(textGroup(fields, 'metadata'));
      const error = refusal ? JSON.stringify({ type: 'card_error', ...refusal }) : null;
      const key = idempotencyKey ?? null;
      insert.run(id, customer, method.id, amount, 'usd', description, metadata, error, key, now());
      if (refusal) return cardRefused({ ...refusal, payment_intent: show(id) });
      return { ...done(show(id)), isHeldBack: method.behaviour === 'answers_never' };
    },
    readIntent: (id: string): GatewayAnswer => done(show(id)),
    listIntents(query: Record<string, string>): GatewayAnswer {
      const after = query['starting_after'];
      if (after !== undefined) show(after);
      const isExpanded = query['expand[0]'] === 'data.latest_charge';
      return listPage(page, query, {
        url: '/v1/payment_intents',
        filter: query['customer'],
        show: isExpanded ? showWithCharge : showIntent,
      });
    },
  };
}

/** The checked parameters of a charge. @throws GatewayRefusal */
function readIntent(
  fields: FormFields,
  vault: CardVault,
): { amount: number; customer: string; method: CardMethod } {
  const amount = amountField(fields);
  if (amount < 50) throw invalid('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  if (amount > 99_999_999) throw invalid('amount', 'Amount is too large', 'amount_too_large');
  if ((textField(fields, 'currency') ?? '').toLowerCase() !== 'usd') {
    throw invalid('currency', 'Only usd is taken here.');
  }
  if (textField(fields, 'confirm') !== 'true') {
    throw invalid('confirm', 'Only payments that are confirmed at once are taken here.');
  }
  const customer = textField(fields, 'customer');
  const methodId = textField(fields, 'payment_method');
  if (!customer) throw missing('customer');
  if (!methodId) throw missing('payment_method');
  vault.getCustomerId(customer);
  const method = vault.getMethod(methodId, 400);
  if (method.customer !== customer) {
    throw invalid('payment_method', 'The payment method is not attached to this customer.');
  }
  return { amount, customer, method };
}

type BankRefusal = Omit<ErrorDetails, 'type'>;

const REFUSALS: Record<CardBehaviour, BankRefusal | undefined> = {
  pays: undefined,
  answers_never: undefined,
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  declined: DECLINED,
  fails_when_charged: DECLINED,
};

const EXPIRED: BankRefusal = {
  code: 'expired_card',
  decline_code: 'expired_card',
  message: 'Your card has expired.',
};

/** `expand[]=data.latest_charge`: the charge in place of its id; it knows what was given back. */
function showWithCharge(row: Record<string, unknown>): object {
  const id = String(row['id']).replace('pi_', 'ch_');
  const { amount, refunded } = row;
  const charge = { id, object: 'charge', amount, amount_refunded: refunded };
  return { ...showIntent(row), latest_charge: charge };
}

function showIntent(row: Record<string, unknown>): object {
  const isPaid = row['error'] === null;
  const { id, customer, amount, currency, description } = row;
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: isPaid ? amount : 0,
    currency,
    customer,
    description,
    payment_method: isPaid ? row['method'] : null,
    payment_method_types: ['card'],
    latest_charge: String(id).replace('pi_', 'ch_'),
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    last_payment_error: isPaid ? null : (JSON.parse(String(row['error'])) as unknown),
    metadata: JSON.parse(String(row['metadata'])) as unknown,
    created: Math.floor(Number(row['created_at']) / 1000),
    livemode: false,
  };
}
