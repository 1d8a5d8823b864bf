import type { StripeError } from '@stripe/stripe-js';
import { onTestFinished, vi } from 'vitest';
import type { CardEntry } from '#shared/contract/about.ts';
import { ABOUT } from './open-page.ts';

/** What a page is told of a server whose customers enter cards in the gateway's fields. */
export const GATEWAY_ABOUT = {
  ...ABOUT,
  cardEntry: {
    way: 'gateway',
    publishableKey: 'pk_test_of_a_test',
    scriptUrl: 'http://localhost/gateway.js',
  } satisfies CardEntry,
};

type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc';
type Listener = (event: object) => void;

/** What one of the gateway's fields tells the page when somebody types. */
interface Change {
  empty?: boolean;
  complete?: boolean;
  /** The gateway's code of what is wrong. */
  code?: string;
  brand?: string;
}

type Made = { paymentMethod: { id: string } } | { error: Partial<StripeError> };

/** The gateway's script as a page has it: fields that a test types into, and the word it gives for a card. */
export class FakeGateway {
  readonly #listeners = new Map<FieldType, Map<string, Set<Listener>>>();
  readonly #made: Made[] = [];
  /** What it was asked to keep, oldest first. */
  readonly asked: Array<Record<string, unknown>> = [];
  /** The fields whose text was taken away. */
  readonly cleared: FieldType[] = [];
  /** The keys that pages began it with. */
  readonly keys: string[] = [];
  /** What was last said of how fields look. */
  style: Record<string, Record<string, unknown>> = {};

  /** @param isReady whether fields can be typed into at once; otherwise not before `stand` */
  constructor({ isReady = true }: { isReady?: boolean } = {}) {
    const make = (key: string) => {
      this.keys.push(key);
      return {
        elements: () => this.#elements(isReady),
        createToken: async () => ({}),
        confirmCardPayment: async () => ({}),
        createPaymentMethod: async (card: Record<string, unknown>) => {
          this.asked.push(card);
          return this.#made.shift() ?? { paymentMethod: { id: `pm_${this.asked.length}` } };
        },
      };
    };
    Object.assign(globalThis.window, { Stripe: make });
    onTestFinished(() => void Reflect.deleteProperty(globalThis.window, 'Stripe'));
  }

  /** What it answers next about a card; without it it keeps the card. */
  next(...made: Made[]): void {
    this.#made.push(...made);
  }

  /** Somebody typed. */
  async type(field: FieldType, { code, ...change }: Change): Promise<void> {
    const listeners = await vi.waitFor(() => {
      const found = this.#listeners.get(field)?.get('change');
      if (!found?.size) throw new Error(`${field} isn't there`);
      return found;
    });
    const error = code === undefined ? undefined : { code, message: 'as the gateway says it' };
    for (const tell of listeners) {
      tell({ elementType: field, empty: false, complete: code === undefined, error, ...change });
    }
  }

  /** Fields that could not be typed into come after all. */
  async stand(): Promise<void> {
    const told = await vi.waitFor(() => {
      const found = [...this.#listeners].map(([type, of]) => ({ type, to: of.get('ready') }));
      if (found.length < 3) throw new Error('The fields aren’t there');
      return found;
    });
    for (const { type, to } of told) for (const tell of to ?? []) tell({ elementType: type });
  }

  /** A whole card was typed. */
  async typeCard(): Promise<void> {
    await this.type('cardNumber', { brand: 'visa' });
    await this.type('cardExpiry', {});
    await this.type('cardCvc', {});
  }

  #elements(isReady: boolean) {
    const elements = new Map<FieldType, object>();
    return {
      create: (type: FieldType, options: { style: FakeGateway['style'] }) => {
        const element = this.#element(type, options, isReady);
        elements.set(type, element);
        return element;
      },
      // The library asks by its components, which carry the type.
      getElement: (type: object) =>
        elements.get(Reflect.get(type, '__elementType') as FieldType) ?? null,
      update: () => undefined,
    };
  }

  #element(type: FieldType, options: { style: FakeGateway['style'] }, isReady: boolean) {
    const input = document.createElement('input');
    input.setAttribute('aria-label', `The gateway’s ${type}`);
    this.style = options.style;
    const listeners = new Map<string, Set<Listener>>();
    this.#listeners.set(type, listeners);
    return {
      on: (event: string, listener: Listener) => {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
        if (event === 'ready' && isReady) queueMicrotask(() => listener({ elementType: type }));
      },
      off: (event: string, listener: Listener) => listeners.get(event)?.delete(listener),
      mount: (place: HTMLElement) => place.append(input),
      update: ({ style = this.style }: { style?: FakeGateway['style'] }) => {
        this.style = style;
      },
      focus: () => input.focus(),
      blur: () => input.blur(),
      clear: () => this.cleared.push(type),
      destroy: () => {
        input.remove();
        this.#listeners.delete(type);
      },
    };
  }
}
