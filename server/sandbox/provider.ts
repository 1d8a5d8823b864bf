import type { Hono } from 'hono';
import * as v from 'valibot';
import { CALL_SCENARIOS } from './call-faults.ts';
import type { SandboxContext, SandboxPart } from './context.ts';
import { numberOption } from './faults.ts';
import { openCapacity, type MemberCapacity } from './provider/capacity.ts';
import { createDelivery } from './provider/delivery.ts';
import { createEventSender } from './provider/events.ts';
import { openOrderBook, type OrderBook } from './provider/order-book.ts';
import { addProviderProtocol } from './provider/protocol.ts';
import { readJson } from './refusal.ts';
import { inTransaction } from './state.ts';

export interface ProviderPart extends SandboxPart {
  /** Gives the likes that are due now. */
  tick(): void;
  /** Sends one batch of events, if any wait. */
  flushEvents(): Promise<void>;
}

interface ProviderOptions {
  /** Between two ticks; 0 leaves ticking to the caller. */
  tickMs?: number;
}

const TICK_MS = 250;

/** What `POST /control/faults` takes for `provider`. */
export const PROVIDER_SCENARIOS = [...CALL_SCENARIOS, 'refuse', 'backlog', 'members'] as const;

/**
 * The member network behind the provider protocol, under `/provider`, with its control calls.
 *
 * Scenarios of system `provider`, besides those of `planCall` (calls: `provider.orders`,
 * `provider.progress`, `provider.cancel`, `provider.capacity`): `refuse {ref?, mediaId?, reason?}`,
 * `backlog {minutes}`, `members {count}` (fewer members while it is played).
 */
export function registerProvider(
  app: Hono,
  ctx: SandboxContext,
  { tickMs = TICK_MS }: ProviderOptions = {},
): ProviderPart {
  const capacity = withPlayedMembers(openCapacity(ctx.db), ctx);
  const book = openOrderBook(ctx.db);
  const delivery = createDelivery(ctx.db, capacity);
  const stop = new AbortController();
  const events = createEventSender({
    signal: stop.signal,
    url: ctx.settings.eventsUrl,
    secret: ctx.settings.providerSecret,
    now: () => ctx.now(),
    random: () => ctx.random(),
  });
  addProviderProtocol(app, ctx, { capacity, book, delivery, events });
  addProviderControl(app, ctx, { capacity, book });
  const tick = (): void => events.add(delivery.tick(ctx.now()));
  let flushing = Promise.resolve();
  const flushEvents = (): Promise<void> => (flushing = events.flush());
  const timer =
    tickMs > 0
      ? setInterval(() => {
          tick();
          void flushEvents();
        }, tickMs)
      : undefined;
  return {
    tick,
    flushEvents,
    async close() {
      clearInterval(timer);
      stop.abort();
      await flushing;
    },
  };
}

function withPlayedMembers(capacity: MemberCapacity, ctx: SandboxContext): MemberCapacity {
  const read = (): ReturnType<MemberCapacity['read']> => {
    const real = capacity.read();
    const played = ctx.faults.active('provider').find(({ scenario }) => scenario === 'members');
    if (!played) return real;
    return { ...real, members: Math.min(real.members, numberOption(played.options, 'count', 0)) };
  };
  return { ...capacity, read };
}

const MembersBody = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
  perHour: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const PlantedBody = v.object({
  orders: v.array(
    v.object({
      ref: v.pipe(v.string(), v.uuid()),
      mediaId: v.string(),
      likes: count,
      startCount: count,
      placedAtMs: count,
      finishedAtMs: count,
    }),
  ),
});

/**
 * What tests and the demo ask of the member network: `/control/members`, `/control/provider/book`; what the demo tells
 * it, orders that were completed before: `POST /control/provider/planted`.
 */
function addProviderControl(
  app: Hono,
  { db }: Pick<SandboxContext, 'db'>,
  { capacity, book }: { capacity: MemberCapacity; book: OrderBook },
): void {
  app.get('/control/members', (c) => c.json(capacity.read()));
  app.post('/control/members', async (c) => {
    const { count, perHour } = await readJson(c, MembersBody);
    capacity.set({ members: count, perHour });
    return c.json(capacity.read());
  });
  app.post('/control/provider/planted', async (c) => {
    const { orders } = await readJson(c, PlantedBody);
    inTransaction(db, () => {
      for (const order of orders) book.plant(order);
    });
    return c.json({ orders: orders.length });
  });
  app.get('/control/provider/book', (c) => c.json({ orders: book.read(c.req.query('mediaId')) }));
}
