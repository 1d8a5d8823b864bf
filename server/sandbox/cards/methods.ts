import type { Stripe } from 'stripe';
import { DAY_MS } from '#shared/domain/durations.ts';
import { Refusal } from '../refusal.ts';
import type { CardStoreDeps } from './card-store.ts';
import { type FormFields, groupField, textField } from './form.ts';
import { done, type GatewayAnswer, getRow, invalid, unknownObject } from './gateway-answer.ts';
import { CARD_EMPTY } from './never-filled.ts';
import { secondsOf, textOr } from './row.ts';
import { readCard, type CardBehaviour } from './read-card.ts';

export interface CardMethod {
  id: string;
  customer: string | null;
  behaviour: CardBehaviour;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Its bank has agreed to charges without the cardholder. */
  isSetUp: boolean;
}

export interface RenewedCard {
  last4?: string | undefined;
  expMonth: number;
  expYear: number;
}

const SPENT =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';
/** A card nobody has attached is forgotten after that long. */
const UNATTACHED_MS = DAY_MS;

/** Cards; of a number only brand and last four digits are written. The tables must exist. */
export function methodStore({ db, now, newId }: CardStoreDeps) {
  const { insert, select, ofCustomer, move, empty, setUp, spend, renew, age } = prepare(db);
  const get = (id: string, status: 400 | 404): Record<string, unknown> =>
    getRow(select, 'payment_method', id, status);
  return {
    createMethod(fields: FormFields): GatewayAnswer {
      if (textField(fields, 'type') !== 'card') {
        throw invalid('type', 'Only payment methods of type card are taken here.');
      }
      const card = readCard(groupField(fields, 'card'), now());
      if ('status' in card) return card;
      const id = newId('pm');
      const { brand, last4, expMonth, expYear, behaviour } = card;
      const billing = JSON.stringify(groupField(fields, 'billing_details'));
      const created = secondsOf(now());
      insert.run(id, brand, last4, expMonth, expYear, behaviour, billing, created);
      return done(showMethod(get(id, 404)));
    },
    readMethod: (id: string): GatewayAnswer => done(showMethod(get(id, 404))),
    find(id: string): Stripe.PaymentMethod | undefined {
      const row = select.get(id);
      return row && showMethod(row);
    },
    listMethods: (customer: string): GatewayAnswer =>
      done({
        object: 'list',
        url: `/v1/customers/${customer}/payment_methods`,
        data: ofCustomer.all(customer).map(showMethod),
        has_more: false,
      }),
    getMethod: (id: string, status: 400 | 404): CardMethod => toMethod(get(id, status)),
    /** Neither used up nor too old. */
    getUsable(id: string, status: 400 | 404): CardMethod {
      const row = get(id, status);
      if (row['is_spent'] === 1) throw invalid('payment_method', SPENT);
      const isLoose = row['customer'] === null;
      if (isLoose && now() - Number(row['created']) * 1000 > UNATTACHED_MS) {
        throw unknownObject('payment_method', id, status);
      }
      return toMethod(row);
    },
    setCustomer: (id: string, customer: string | null) => void move.run(customer, id),
    detachAll: (customer: string) => void empty.run(customer),
    setUp: (id: string) => void setUp.run(id),
    spend: (id: string) => void spend.run(id),
    renewCard(id: string, card: RenewedCard): { shown: object; previous: object } {
      const before = select.get(id);
      if (!before) throw new Refusal('input', 'id: no such payment method');
      renew.run(id, card.last4 ?? null, card.expMonth, card.expYear);
      const { last4, exp_month: month, exp_year: year } = before;
      const digits = card.last4 !== undefined && { last4 };
      const previous = { exp_month: month, exp_year: year, ...digits };
      return { shown: showMethod(get(id, 404)), previous };
    },
    leaveLoose(id: string): object {
      const row = age.get(UNATTACHED_MS / 1000 + 1, id);
      if (!row) throw new Refusal('input', 'id: no card that nobody has attached');
      return showMethod(row);
    },
  };
}

function prepare(db: CardStoreDeps['db']) {
  const insert =
    db.prepare(`insert into card_method (id, brand, last4, exp_month, exp_year, behaviour,
    billing, created) values (?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('select * from card_method where id = ?');
  const ofCustomer = db.prepare('select * from card_method where customer = ? order by rowid desc');
  const move = db.prepare('update card_method set customer = ? where id = ?');
  const empty = db.prepare(
    'update card_method set customer = null, is_spent = 1 where customer = ?',
  );
  const setUp = db.prepare('update card_method set is_set_up = 1 where id = ?');
  const spend = db.prepare('update card_method set is_spent = 1 where id = ?');
  const renew = db.prepare(`update card_method set last4 = coalesce(?2, last4), exp_month = ?3,
    exp_year = ?4 where id = ?1`);
  const age = db.prepare(
    'update card_method set created = created - ? where id = ? and customer is null returning *',
  );
  return { insert, select, ofCustomer, move, empty, setUp, spend, renew, age };
}

function toMethod(row: Record<string, unknown>): CardMethod {
  return {
    id: String(row['id']),
    customer: textOr(row['customer'], null),
    behaviour: row['behaviour'] as CardBehaviour,
    last4: String(row['last4']),
    expMonth: Number(row['exp_month']),
    expYear: Number(row['exp_year']),
    isSetUp: row['is_set_up'] === 1,
  };
}

function showMethod(row: Record<string, unknown>): Stripe.PaymentMethod {
  const { id, customer } = row;
  return {
    id: String(id),
    object: 'payment_method',
    type: 'card',
    customer: textOr(customer, null),
    customer_account: null,
    created: Number(row['created']),
    livemode: false,
    metadata: {},
    billing_details: showBilling(JSON.parse(String(row['billing'])) as FormFields),
    card: showCard(row),
  };
}

/** Test cards differ in their last digits, so the fingerprint tells one from another. */
function showCard(row: Record<string, unknown>): Stripe.PaymentMethod.Card {
  const brand = String(row['brand']);
  const last4 = String(row['last4']);
  return {
    brand,
    display_brand: brand,
    last4,
    exp_month: Number(row['exp_month']),
    exp_year: Number(row['exp_year']),
    fingerprint: `fp${last4}`,
    funding: 'credit',
    country: 'US',
    checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
    networks: { available: [brand], preferred: null },
    three_d_secure_usage: { supported: true },
    ...CARD_EMPTY,
  };
}

function showBilling(fields: FormFields): Stripe.PaymentMethod.BillingDetails {
  const address = groupField(fields, 'address');
  return {
    address: {
      city: textField(address, 'city') ?? null,
      country: textField(address, 'country') ?? null,
      line1: textField(address, 'line1') ?? null,
      line2: textField(address, 'line2') ?? null,
      postal_code: textField(address, 'postal_code') ?? null,
      state: textField(address, 'state') ?? null,
    },
    email: textField(fields, 'email') ?? null,
    name: textField(fields, 'name') ?? null,
    phone: textField(fields, 'phone') ?? null,
    tax_id: null,
  };
}
