import type { Hono } from 'hono';
import * as v from 'valibot';
import { readJson } from '../control/read-json.ts';
import type { MemberCapacity } from './capacity.ts';
import type { OrderBook } from './order-book.ts';

const MembersBody = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
  perHour: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

/** What tests and the demo ask of the member network: `/control/members`, `/control/provider/book`. */
export function addProviderControl(
  app: Hono,
  { capacity, book }: { capacity: MemberCapacity; book: OrderBook },
): void {
  app.get('/control/members', (c) => c.json(capacity.read()));
  app.post('/control/members', async (c) => {
    const { count, perHour } = await readJson(c, MembersBody);
    capacity.set({ members: count, perHour });
    return c.json(capacity.read());
  });
  app.get('/control/provider/book', (c) => c.json({ orders: book.read(c.req.query('mediaId')) }));
}
