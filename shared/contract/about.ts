import * as v from 'valibot';
import { defineCall } from './call.ts';

/**
 * How a customer's card gets to the gateway: through the product's own form and server (test keys only), or by the
 * gateway's own fields, which its script at `scriptUrl` draws for this key.
 */
export const CardEntry = v.variant('way', [
  v.object({ way: v.literal('form') }),
  v.object({ way: v.literal('gateway'), publishableKey: v.string(), scriptUrl: v.string() }),
]);
export type CardEntry = v.InferOutput<typeof CardEntry>;

/** How an app finds out that an address is a server of this product, and whether both understand each other. */
export const about = defineCall({
  method: 'GET',
  path: '/user/about',
  encoding: 'query',
  session: 'none',
  summary:
    'Which product runs at this address, and which sync protocols it serves, and how cards are entered.',
  input: v.object({}),
  data: v.object({
    product: v.string(),
    /** Newest sync protocol served. */
    protocol: v.pipe(v.number(), v.integer()),
    /** Oldest sync protocol still served. */
    oldestProtocol: v.pipe(v.number(), v.integer()),
    /** A server that doesn't tell has the form. */
    cardEntry: v.optional(CardEntry, { way: 'form' }),
  }),
  errors: [],
});
