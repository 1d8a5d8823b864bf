import * as v from 'valibot';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';

/** What can be seen of a schema from outside. */
type SchemaNode = v.GenericSchema & {
  type: string;
  entries?: Record<string, SchemaNode>;
  item?: SchemaNode;
  wrapped?: SchemaNode;
};

/** A number in [0, 1). */
export type Chance = () => number;

/** Values that somebody could send for a field of this name: ids and names of their own. */
export type Facts = ReadonlyMap<string, readonly unknown[]>;

/** Fields that take what answers and other calls name otherwise. */
const SAME_AS: Record<string, string> = {
  oldIgUsername: 'igUsername',
  postId: 'id',
  sessionId: 'id',
  currentPassword: 'password',
  shortCode: 'shortcode',
};

/** One value of each kind some field takes; the schemas themselves decide which fit where. */
const OFFERS: readonly unknown[] = [
  ['Ada Example', 'Zoë O’Neil-Süß', 'ada.lumen', '@Ada_1', 'a', '12345', '10115', 'SW1A 1AA'],
  ['4242 4242 4242 4242', '5555555555554444', '4000000000000002', '4000000000009995'],
  ['378282246310005', '4000 0000 0000 0341', '4000-0000-0000-0119', '4111111111111111'],
  ['123', '1234', '000000', '123456', '12', '2030', '1', '+1 (555) 010-0199', '5550100199'],
  ['US', 'DE', 'GB', 'UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia'],
  ['correct horse battery', 'x'.repeat(128), 'true', 'off', '', '10.00', '29'],
  ['2026-11-20T12:00:00Z', '2026-12-24T00:00:00.000Z', '2020-02-29T23:59:59Z'],
  ['17841400000000101', '1', '0199a2c4-7a00-7000-8000-000000000001', 'Cx1y2z', 'Completed'],
  ['Instant', '30 Min', '1 Hour', '4 Hours', 'automatic', 'credit', 'csv', 'json', 'In progress'],
  [0, 1, 2, 3, 5, 7, 9, 10, 12, 20, 50, 100, 500, 1000, 2024, 2034, 9.99, 29, 2500, 7500],
  [true, false, null],
].flat();

/** Makes inputs of a schema that mostly pass it. */
export class SchemaValues {
  readonly #chance: Chance;
  readonly #fitting = new WeakMap<SchemaNode, readonly unknown[]>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  make(schema: v.GenericSchema, facts: Facts): unknown {
    const value = this.#value(schema, '', facts);
    if (typeof value === 'object' && value !== null && this.#chance() < 0.8) {
      Object.assign(value, this.#fittingPairs(value));
    }
    return value;
  }

  /** Fields that must fit each other, which chance alone would hardly ever bring about. */
  #fittingPairs(value: object): object {
    const chosen = this.pick(CREDIT_PACKAGES);
    const isAmex = 'ccNum' in value && String(value.ccNum).startsWith('3');
    return {
      ...('packageIndex' in value && { amount: undefined }),
      ...('credits' in value && { credits: chosen.credits, amount: chosen.price }),
      ...('ccNum' in value && { cvv: isAmex ? '1234' : '123', ccYear: 2030 }),
      ...('country' in value && { country: this.pick(['US', 'DE']), zip: '12345' }),
    };
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#chance() * from.length)] as T;
  }

  #value(schema: v.GenericSchema, name: string, facts: Facts): unknown {
    const node = schema as SchemaNode;
    switch (node.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(node.entries ?? {})
            .map(([key, entry]) => [key, this.#value(entry, key, facts)] as const)
            .filter(([, value]) => value !== undefined),
        );
      case 'array':
        return Array.from({ length: 1 + Math.floor(this.#chance() * 3) }, () =>
          node.item ? this.#value(node.item, name, facts) : null,
        );
      case 'optional':
        return this.#chance() < 0.5 ? undefined : this.#inner(node, name, facts);
      case 'nullable':
        return this.#chance() < 0.3 ? null : this.#inner(node, name, facts);
      default:
        return this.#leaf(node, name, facts);
    }
  }

  #inner(node: SchemaNode, name: string, facts: Facts): unknown {
    return node.wrapped ? this.#value(node.wrapped, name, facts) : undefined;
  }

  #leaf(node: SchemaNode, name: string, facts: Facts): unknown {
    const own = facts.get(SAME_AS[name] ?? name) ?? [];
    const fitting = own.filter((each) => v.is(node, each));
    // The first is what the customer began with, the last what an answer has just named.
    if (fitting.length > 0 && this.#chance() < 0.85) {
      return this.pick([fitting[0], fitting[0], fitting.at(-1), this.pick(fitting)]);
    }
    const offers = this.#offersFor(node);
    return offers.length > 0 ? this.pick(offers) : 'x';
  }

  #offersFor(node: SchemaNode): readonly unknown[] {
    const known = this.#fitting.get(node);
    if (known) return known;
    const options = 'options' in node && Array.isArray(node.options) ? node.options : [];
    const found = [...OFFERS, ...options].filter((each) => v.is(node, each));
    this.#fitting.set(node, found);
    return found;
  }
}
