import type { DatabaseSync } from 'node:sqlite';
import type { Stripe } from 'stripe';
import { type FormFields, textField, textGroup } from './form.ts';
import {
  type GatewayAnswer,
  cardRefused,
  done,
  invalid,
  missing,
  unknownObject,
} from './gateway-answer.ts';
import type { AccountIds } from './account-ids.ts';
import { DECLINED } from './intents/bank.ts';
import { CUSTOMER_EMPTY } from './never-filled.ts';
import { metadataOf, secondsOf, textOr } from './row.ts';
import { type CardMethod, methodStore, type RenewedCard } from './methods.ts';

/** Customers and their cards. Of a card number only brand and last four digits are ever written. */
export interface CardStore {
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
  /** A method that a customer may pay with: the customer's own, or a fresh one. @throws GatewayRefusal */
  getPayable(id: string, customer: string): CardMethod;
  /** After its first use: `customer` has it for good, or nobody can use it again. */
  settleMethod(id: string, use: { customer: string; isSetUp: boolean; isKept: boolean }): void;
  findMethod(id: string): Stripe.PaymentMethod | undefined;
  /** As the API shows it, a customer or a card; undefined for an unknown one. */
  findShown(id: string): object | undefined;
  /** What a bank does when a card is renewed: the digits may change, the id stays. @throws Refusal */
  renewCard(id: string, card: RenewedCard): object;
  /** A day goes by in which nobody attaches the card. @throws Refusal */
  leaveLoose(id: string): object;
}

export interface CardStoreDeps {
  db: DatabaseSync;
  now: () => number;
  newId: AccountIds['newId'];
  /** See `AccountIds`. */
  pattern: AccountIds['pattern'];
  /** See `AccountIds`. */
  asOwnerOf: AccountIds['asOwnerOf'];
  /** See `GatewayEvents`. */
  tell: (type: string, object: object, previous?: object) => void;
  /** Where the banks' pages are. */
  bankUrl: string;
}

/** The tables must exist. */
export function openCardStore(deps: CardStoreDeps): CardStore {
  const customers = customerStore(deps);
  const methods = methodStore(deps);
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
      const method = methods.getUsable(id, 404);
      if (method.customer !== null && method.customer !== customer) {
        throw invalid('customer', ATTACHED_ELSEWHERE);
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
      methods.spend(id);
      return methods.readMethod(id);
    },
    getPayable(id, customer) {
      const method = methods.getUsable(id, 400);
      if (method.customer !== null && method.customer !== customer) {
        throw invalid('payment_method', NOT_THEIRS);
      }
      return method;
    },
    settleMethod(id, { customer, isSetUp, isKept }) {
      if (isSetUp) methods.setUp(id);
      if (methods.getMethod(id, 404).customer !== null) return;
      if (isKept && customer !== '') methods.setCustomer(id, customer);
      else methods.spend(id);
    },
    findMethod: (id) => methods.find(id),
    findShown: (id) => customers.find(id) ?? methods.find(id),
    renewCard(id, card) {
      const { shown, previous } = methods.renewCard(id, card);
      deps.tell('payment_method.automatically_updated', shown, { card: previous });
      return shown;
    },
    leaveLoose: (id) => methods.leaveLoose(id),
  };
}

const ATTACHED_ELSEWHERE = 'This card is already attached to another customer.';
const NOT_THEIRS = 'The payment method is not attached to this customer.';

function customerStore({ db, now, newId }: CardStoreDeps) {
  const insert = db.prepare('insert into card_customer values (?, ?, ?, ?, ?)');
  const select = db.prepare('select * from card_customer where id = ?');
  const remove = db.prepare('delete from card_customer where id = ?');
  const insertDeleted = db.prepare('insert into card_customer_deleted values (?)');
  const selectDeleted = db.prepare('select id from card_customer_deleted where id = ?');
  const show = (id: string): object | undefined => {
    if (selectDeleted.get(id)) return deletedCustomer(id);
    const row = select.get(id);
    return row && showCustomer(row);
  };
  return {
    createCustomer(fields: FormFields): GatewayAnswer {
      const id = newId('cus');
      const email = textField(fields, 'email') ?? null;
      const name = textField(fields, 'name') ?? null;
      const metadata = JSON.stringify(textGroup(fields, 'metadata'));
      insert.run(id, email, name, metadata, secondsOf(now()));
      return done(show(id) ?? {});
    },
    readCustomer(id: string): GatewayAnswer {
      const customer = show(id);
      if (!customer) throw unknownObject('customer', id, 404);
      return done(customer);
    },
    deleteCustomer(id: string): GatewayAnswer {
      if (remove.run(id).changes === 0) throw unknownObject('customer', id, 404);
      insertDeleted.run(id);
      return done(deletedCustomer(id));
    },
    find: show,
    getCustomerId(id: string, status: 400 | 404 = 400): string {
      if (!select.get(id)) throw unknownObject('customer', id, status);
      return id;
    },
  };
}

function showCustomer(row: Record<string, unknown>): Stripe.Customer {
  return {
    id: String(row['id']),
    object: 'customer',
    ...CUSTOMER_EMPTY,
    email: textOr(row['email'], null),
    name: textOr(row['name'], null),
    created: Number(row['created']),
    metadata: metadataOf(row),
  };
}

const deletedCustomer = (id: string): object => ({ id, object: 'customer', deleted: true });
