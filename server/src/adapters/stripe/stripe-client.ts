import { Stripe } from 'stripe';
import { createStripeHttp } from './stripe-http.ts';

export interface StripeOptions {
  /** Where Stripe's `/v1` hangs: its own address, or the sandbox's with a path. */
  stripeUrl: string;
  secretKey: string;
  timeoutMs?: number;
}

/** The stripe package over our transport: it repeats no call by itself. `withKey`: the same with another key. */
export function openStripe({ stripeUrl, secretKey, timeoutMs = 20_000 }: StripeOptions): {
  stripe: Stripe;
  withKey: (key: string) => Stripe;
  close: () => Promise<void>;
} {
  const http = createStripeHttp(new URL(stripeUrl), timeoutMs);
  const withKey = (key: string): Stripe =>
    new Stripe(key, {
      httpClient: http.httpClient,
      timeout: timeoutMs,
      maxNetworkRetries: 0,
      telemetry: false,
    });
  return { stripe: withKey(secretKey), withKey, close: () => http.close() };
}
