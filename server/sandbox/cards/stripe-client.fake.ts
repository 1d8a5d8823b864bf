import { Stripe } from 'stripe';
import { registerCards } from '../cards.ts';
import { listen } from '../listening.fake.ts';
import { type OutsideWorld, createOutsideWorld } from '../outside-world.fake.ts';
import type { ChargeEntry } from './charges.ts';

/** A card gateway on a socket and the unmodified package that talks to it. */
export interface GatewayWorld {
  world: OutsideWorld;
  stripe: Stripe;
  /** Another client of the same gateway. */
  client(key?: string, timeoutMs?: number): Stripe;
  savedCard(number: string): Promise<SavedCard>;
  /** Charges 17.00 dollars unless told. */
  pay(
    saved: SavedCard,
    amount?: number,
    idempotencyKey?: string,
    by?: Stripe,
  ): Promise<Stripe.Response<Stripe.PaymentIntent>>;
  charges(): Promise<ChargeEntry[]>;
  /** Lets banks and events do what is due. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

interface SavedCard {
  customer: string;
  payment_method: string;
}

export async function createGatewayWorld(
  options: { eventsUrl?: string } = {},
): Promise<GatewayWorld> {
  const world = createOutsideWorld(options);
  const cards = registerCards(world.app, world.ctx, { tickMs: 0 });
  const server = await listen(world);
  const client = (key = 'sk_test_sandbox', timeoutMs = 20_000): Stripe => {
    const where = { host: '127.0.0.1', port: server.port, protocol: 'http' } as const;
    return new Stripe(key, {
      ...where,
      maxNetworkRetries: 0,
      timeout: timeoutMs,
      telemetry: false,
    });
  };
  const stripe = client();
  return {
    world,
    stripe,
    client,
    async savedCard(number) {
      const customer = await stripe.customers.create({ email: 'mia@example.com' });
      const method = await stripe.paymentMethods.create(cardOf(number));
      await stripe.paymentMethods.attach(method.id, { customer: customer.id });
      return { customer: customer.id, payment_method: method.id };
    },
    pay: (saved, amount = 1700, idempotencyKey, by = stripe) =>
      by.paymentIntents.create(
        {
          ...saved,
          amount,
          currency: 'usd',
          confirm: true,
          off_session: true,
          metadata: { a: 'b' },
        },
        idempotencyKey ? { idempotencyKey } : {},
      ),
    async charges() {
      const answer = await world.app.request('/control/charges');
      return (await answer.json()) as ChargeEntry[];
    },
    tick: () => cards.tick(),
    async stop() {
      await cards.close();
      await server.stop();
      world.drop();
    },
  };
}

export function cardOf(
  number: string,
  change: Partial<Stripe.PaymentMethodCreateParams.Card> = {},
): Stripe.PaymentMethodCreateParams {
  return { type: 'card', card: { number, exp_month: 12, exp_year: 2030, cvc: '123', ...change } };
}

/** The error a call of the package rejects with. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}
