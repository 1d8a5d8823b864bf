import type { DatabaseSync } from 'node:sqlite';
import type { FormFields } from './form.ts';
import { groupField, textField, textGroup } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { cardRefused, done, invalid, missing, unknownObject } from './gateway-answer.ts';
import { readCard } from './read-card.ts';
import type { CardBehaviour } from './test-cards.ts';

export interface CardMethod {
  id: string;
  customer: string | null;
  behaviour: CardBehaviour;
  expMonth: number;
  expYear: number;
}

/** Customers and their cards. Of a card number only brand and last four digits are ever written. */
export interface CardVault {
  createCustomer(fields: FormFields): GatewayAnswer;
  readCustomer(id: string): GatewayAnswer;
  /** With its cards; payments of it stay, and can be given back. */
  deleteCustomer(id: string): GatewayAnswer;
  createMethod(fields: FormFields): GatewayAnswer;
  readMethod(id: string): GatewayAnswer;
  attach(id: string, fields: FormFields): GatewayAnswer;
  detach(id: string): GatewayAnswer;
  listMethods(customer: string): GatewayAnswer;
  /** @throws GatewayRefusal resource_missing */
  getCustomerId(id: string): string;
  /** @throws GatewayRefusal resource_missing */
  getMethod(id: string, status: 400 | 404): CardMethod;
}

const SCHEMA = `
create table if not exists card_customer (
  id text primary key, email text, name text, metadata text not null, created integer not null
);
create table if not exists card_customer_deleted (id text primary key);
create table if not exists card_method (
  id text primary key,
  customer text,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  behaviour text not null,
  billing text not null,
  created integer not null
);
create index if not exists card_method_customer on card_method (customer);
`;

export interface VaultNature {
  db: DatabaseSync;
  now: () => number;
  newId: (prefix: string) => string;
}

export function openVault(nature: VaultNature): CardVault {
  nature.db.exec(SCHEMA);
  const customers = customerShelf(nature);
  const methods = methodShelf(nature);
  return {
    ...customers,
    ...methods,
    listMethods(customer) {
      customers.getCustomerId(customer, 404);
      return methods.listMethods(customer);
    },
    attach(id, fields) {
      const customer = textField(fields, 'customer');
      if (!customer) throw missing('customer');
      customers.getCustomerId(customer);
      const method = methods.getMethod(id, 404);
      if (method.customer !== null && method.customer !== customer) {
        throw invalid('customer', 'This card is already attached to another customer.');
      }
      // Saving a card asks its bank; some banks already say no to that.
      if (method.behaviour === 'declined') return cardRefused(DECLINED);
      methods.setCustomer(id, customer);
      return methods.readMethod(id);
    },
    deleteCustomer(id) {
      const deleted = customers.deleteCustomer(id);
      methods.detachAll(id);
      return deleted;
    },
    detach(id) {
      if (methods.getMethod(id, 404).customer === null) {
        throw invalid('id', 'The payment method is not attached to a customer.');
      }
      methods.setCustomer(id, null);
      return methods.readMethod(id);
    },
  };
}

export const DECLINED = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
} as const;

function customerShelf({ db, now, newId }: VaultNature) {
  const insert = db.prepare('insert into card_customer values (?, ?, ?, ?, ?)');
  const select = db.prepare('select * from card_customer where id = ?');
  const remove = db.prepare('delete from card_customer where id = ?');
  const noteDeleted = db.prepare('insert into card_customer_deleted values (?)');
  const selectDeleted = db.prepare('select id from card_customer_deleted where id = ?');
  const show = (id: string): object | undefined => {
    if (selectDeleted.get(id)) return deletedCustomer(id);
    const row = select.get(id);
    if (!row) return undefined;
    const { metadata, ...rest } = row;
    const known = { ...rest, object: 'customer', livemode: false };
    return { ...known, metadata: JSON.parse(String(metadata)) as unknown };
  };
  return {
    createCustomer(fields: FormFields): GatewayAnswer {
      const id = newId('cus');
      const email = textField(fields, 'email') ?? null;
      const name = textField(fields, 'name') ?? null;
      const metadata = JSON.stringify(textGroup(fields, 'metadata'));
      insert.run(id, email, name, metadata, Math.floor(now() / 1000));
      return done(show(id) ?? {});
    },
    readCustomer(id: string): GatewayAnswer {
      const customer = show(id);
      if (!customer) throw unknownObject('customer', id, 404);
      return done(customer);
    },
    deleteCustomer(id: string): GatewayAnswer {
      if (remove.run(id).changes === 0) throw unknownObject('customer', id, 404);
      noteDeleted.run(id);
      return done(deletedCustomer(id));
    },
    getCustomerId(id: string, status: 400 | 404 = 400): string {
      if (!select.get(id)) throw unknownObject('customer', id, status);
      return id;
    },
  };
}

const deletedCustomer = (id: string): object => ({ id, object: 'customer', deleted: true });

function methodShelf({ db, now, newId }: VaultNature) {
  const insert = db.prepare('insert into card_method values (?, null, ?, ?, ?, ?, ?, ?, ?)');
  const select = db.prepare('select * from card_method where id = ?');
  const ofCustomer = db.prepare('select * from card_method where customer = ? order by rowid desc');
  const move = db.prepare('update card_method set customer = ? where id = ?');
  const empty = db.prepare('update card_method set customer = null where customer = ?');
  const get = (id: string, status: 400 | 404): Record<string, unknown> => {
    const row = select.get(id);
    if (!row) throw unknownObject('payment_method', id, status);
    return row;
  };
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
      const created = Math.floor(now() / 1000);
      insert.run(id, brand, last4, expMonth, expYear, behaviour, billing, created);
      return done(showMethod(get(id, 404)));
    },
    readMethod: (id: string): GatewayAnswer => done(showMethod(get(id, 404))),
    listMethods: (customer: string): GatewayAnswer =>
      done({
        object: 'list',
        url: `/v1/customers/${customer}/payment_methods`,
        data: ofCustomer.all(customer).map(showMethod),
        has_more: false,
      }),
    getMethod(id: string, status: 400 | 404): CardMethod {
      const row = get(id, status);
      return {
        id,
        customer: typeof row['customer'] === 'string' ? row['customer'] : null,
        behaviour: row['behaviour'] as CardBehaviour,
        expMonth: Number(row['exp_month']),
        expYear: Number(row['exp_year']),
      };
    },
    setCustomer: (id: string, customer: string | null) => void move.run(customer, id),
    detachAll: (customer: string) => void empty.run(customer),
  };
}

function showMethod(row: Record<string, unknown>): object {
  const { id, customer, brand, last4, created } = row;
  const expiry = { exp_month: row['exp_month'], exp_year: row['exp_year'] };
  return {
    id,
    object: 'payment_method',
    type: 'card',
    customer,
    created,
    livemode: false,
    metadata: {},
    billing_details: JSON.parse(String(row['billing'])) as unknown,
    // Test cards differ in their last digits, so these tell one from another.
    card: {
      brand,
      last4,
      ...expiry,
      fingerprint: `fp${String(last4)}`,
      funding: 'credit',
      country: 'US',
    },
  };
}
