import * as v from 'valibot';
import { Identified } from './stripe-answers.ts';
import { openStripe, type StripeOptions } from './stripe-client.ts';
import { failureReason } from './stripe-failure.ts';

export type Told<Answer> = ({ kind: 'told' } & Answer) | { kind: 'failed'; reason: string };

const SetUp = v.object({
  ...Identified.entries,
  client_secret: v.string(),
  created: v.number(),
  livemode: v.optional(v.boolean(), false),
});

const Endpoints = v.object({
  data: v.array(
    v.object({ url: v.string(), status: v.string(), enabled_events: v.array(v.string()) }),
  ),
});

/** An address that the gateway sends events to, and which. */
interface GatewayEndpoint {
  url: string;
  isEnabled: boolean;
  events: string[];
}

/** What an operator's check asks of the gateway's account. Nothing is charged, and nothing is left behind. */
export interface StripeAccount {
  /** Begins to set a card up with the secret key, reads that with the publishable one, and takes it back. */
  checkKeys(publishableKey: string | undefined): Promise<{
    /** `nowMs`: the gateway's clock. */
    secret: Told<{ isLive: boolean; nowMs: number }>;
    publishable: Told<object> | undefined;
  }>;
  listEndpoints(): Promise<Told<{ endpoints: GatewayEndpoint[] }>>;
  close(): Promise<void>;
}

export function openStripeAccount(options: StripeOptions): StripeAccount {
  const { stripe, withKey, close } = openStripe(options);
  return {
    async checkKeys(publishableKey) {
      const made = await tell(async () => ({
        setUp: v.parse(
          SetUp,
          await stripe.setupIntents.create({
            allowed_payment_method_types: ['card'],
            usage: 'off_session',
          }),
        ),
      }));
      if (made.kind === 'failed') return { secret: made, publishable: undefined };
      const { id, client_secret, created, livemode: isLive } = made.setUp;
      const publishable =
        publishableKey === undefined
          ? undefined
          : await tell(async () => {
              const read = withKey(publishableKey).setupIntents.retrieve(id, { client_secret });
              v.parse(Identified, await read);
              return {};
            });
      const taken = await tell(async () => {
        v.parse(Identified, await stripe.setupIntents.cancel(id));
        return {};
      });
      if (taken.kind === 'failed') return { secret: taken, publishable };
      return { secret: { kind: 'told', isLive, nowMs: created * 1000 }, publishable };
    },
    listEndpoints: () =>
      tell(async () => {
        const { data } = v.parse(Endpoints, await stripe.webhookEndpoints.list({ limit: 100 }));
        return {
          endpoints: data.map(({ url, status, enabled_events: events }) => ({
            url,
            isEnabled: status === 'enabled',
            events,
          })),
        };
      }),
    close,
  };
}

async function tell<Answer extends object>(ask: () => Promise<Answer>): Promise<Told<Answer>> {
  try {
    return { kind: 'told', ...(await ask()) };
  } catch (error) {
    return { kind: 'failed', reason: failureReason(error) };
  }
}
