import * as v from 'valibot';
import { defineCall } from './call.ts';

/** How an app finds out that an address is a server of this product, and whether both understand each other. */
export const about = defineCall({
  method: 'GET',
  path: '/user/about',
  encoding: 'query',
  session: 'none',
  summary: 'Which product runs at this address, and which sync protocols it serves.',
  input: v.object({}),
  data: v.object({
    product: v.string(),
    /** Newest sync protocol served. */
    protocol: v.pipe(v.number(), v.integer()),
    /** Oldest sync protocol still served. */
    oldestProtocol: v.pipe(v.number(), v.integer()),
  }),
  errors: [],
});
