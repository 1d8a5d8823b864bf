import {
  CancelRequest,
  PROVIDER_BATCH_MAX,
  ProviderOrder,
  SIGNATURE_HEADER,
} from '#shared/contract/provider-protocol.ts';
import type { Context, Hono } from 'hono';
import * as v from 'valibot';
import { afterWork, beforeWork, planCall, rawConnection } from '../call-faults.ts';
import type { SandboxContext } from '../context.ts';
import { numberOption, textOption } from '../faults.ts';
import { inTransaction } from '../state.ts';
import type { MemberCapacity } from './capacity.ts';
import type { Delivery } from './delivery.ts';
import type { EventSender } from './events.ts';
import { type OrderBook, toProgress } from './order-book.ts';
import { checkSignature } from './signature.ts';

interface ProviderParts {
  capacity: MemberCapacity;
  book: OrderBook;
  delivery: Delivery;
  events: EventSender;
}

/** The calls of the provider protocol. */
export function addProviderProtocol(
  app: Hono,
  ctx: SandboxContext,
  { capacity, book, delivery, events }: ProviderParts,
): void {
  const signed = signedCall(ctx);
  app.post('/provider/v1/orders', (c) =>
    signed(c, 'provider.orders', (body) => {
      const request = v.safeParse(OrdersRequest, parseJson(body));
      if (!request.success) return badRequest('"orders" must list 1 to 100 orders.');
      const { members } = capacity.read();
      const results = inTransaction(ctx.db, () =>
        request.output.orders.map((order) => {
          const whole = v.safeParse(ProviderOrder, order);
          if (!whole.success) return { ref: order.ref, result: 'refused', reason: 'invalid_order' };
          return book.place(whole.output, ctx.now(), members, playedRefusal(ctx, whole.output));
        }),
      );
      return Response.json({ results });
    }),
  );
  app.get('/provider/v1/orders', (c) =>
    signed(c, 'provider.progress', () => {
      const refs = (c.req.queries('refs') ?? []).flatMap((text) => text.split(','));
      if (refs.length === 0 || refs.length > PROVIDER_BATCH_MAX) {
        return badRequest('"refs" must list 1 to 100 refs.');
      }
      return Response.json({ orders: book.find(refs).map(toProgress) });
    }),
  );
  app.post('/provider/v1/orders/cancel', (c) =>
    signed(c, 'provider.cancel', (body) => {
      const request = v.safeParse(CancelRequest, parseJson(body));
      if (!request.success) return badRequest('"refs" must list 1 to 100 refs.');
      const { refs } = request.output;
      inTransaction(ctx.db, () => {
        for (const ref of refs) book.cancel(ref, ctx.now());
      });
      const orders = book.find(refs).map(toProgress);
      events.add(orders);
      return Response.json({ orders });
    }),
  );
  app.get('/provider/v1/capacity', (c) =>
    signed(c, 'provider.capacity', () => {
      const { members, perHour } = capacity.read();
      const played = ctx.faults.take('provider', 'backlog');
      const backlogMinutes = played
        ? numberOption(played.options, 'minutes', 600)
        : Math.round((delivery.backlog(ctx.now()) / Math.max(1, perHour)) * 60);
      return Response.json({ members, perHour, backlogMinutes });
    }),
  );
}

/** Each order needs no more than a ref to be answered; one bad order doesn't hold up the others. */
const OrdersRequest = v.object({
  orders: v.pipe(
    v.array(v.looseObject({ ref: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) })),
    v.minLength(1),
    v.maxLength(PROVIDER_BATCH_MAX),
  ),
});

type Work = (body: string) => Response;

/** Plays faults around a call and lets only signed ones through. */
function signedCall(ctx: SandboxContext) {
  return async (c: Context, call: string, work: Work): Promise<Response> => {
    ctx.stats.count(call);
    const plan = planCall(ctx, 'provider', call);
    const body = await c.req.text();
    const early = await beforeWork(plan, c);
    if (early) return early;
    const url = new URL(c.req.url);
    const path = rawConnection(c).incoming?.url ?? `${url.pathname}${url.search}`;
    const verdict = checkSignature(
      ctx.settings.providerSecret,
      ctx.now(),
      c.req.header(SIGNATURE_HEADER),
      { method: c.req.method, path, body },
    );
    if (verdict !== 'good') {
      return Response.json({ error: 'signature', reason: verdict }, { status: 401 });
    }
    return afterWork(plan, c, work(body));
  };
}

function playedRefusal(ctx: SandboxContext, order: ProviderOrder): string | undefined {
  const fault = ctx.faults.take('provider', 'refuse', ({ options }) => {
    const ref = textOption(options, 'ref');
    const mediaId = textOption(options, 'mediaId');
    return (!ref || ref === order.ref) && (!mediaId || mediaId === order.mediaId);
  });
  return fault ? (textOption(fault.options, 'reason') ?? 'no_members') : undefined;
}

function badRequest(message: string): Response {
  return Response.json({ error: 'input', message }, { status: 400 });
}

/** Undefined for anything that isn't JSON; the schemas then refuse it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
