import { afterEach, expect, test } from 'vitest';
import {
  json,
  NONSENSE,
  openScriptedServer,
  patienceMs,
  type Script,
  type ScriptedServer,
} from '../http/scripted-server.fake.ts';
import { createProviderClient } from './provider-client.ts';
import type { DeliveryProvider } from './delivery-provider.ts';
import { verifySignature } from './signature.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const NOW_MS = Date.parse('2026-11-21T09:00:00Z');
const ORDER = {
  ref: 'order-1',
  igId: '17841401441775531',
  mediaId: '17858843269216389',
  shortcode: 'CSr71Gzlqo4',
  likes: 50,
  views: 0,
  startAt: '2026-11-21T09:00:00.000Z',
  finishBy: '2026-11-21T10:00:00.000Z',
};

async function open(
  script: Script,
): Promise<{ server: ScriptedServer; provider: DeliveryProvider }> {
  const server = await openScriptedServer(script);
  const provider = createProviderClient({
    providerUrl: `${server.url}/base/`,
    secret: 'secret',
    now: () => NOW_MS,
    timeoutMs: patienceMs(script),
  });
  closers.push(server.close, () => provider.close());
  return { server, provider };
}

test('every call is signed over the path and body as they are sent', async () => {
  const { server, provider } = await open(json({}));
  await provider.placeOrders([ORDER]);
  await provider.readProgress(['order-1', 'a b&c=ü']);
  await provider.cancelOrders(['order-1']);
  await provider.readCapacity();
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /base/v1/orders',
    'GET /base/v1/orders?refs=order-1&refs=a%20b%26c%3D%C3%BC',
    'POST /base/v1/orders/cancel',
    'GET /base/v1/capacity',
  ]);
  for (const request of server.requests) {
    const header = String(request.headers['x-signature']);
    expect(verifySignature('secret', header, request, NOW_MS)).toBe(true);
  }
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ orders: [ORDER] });
});

test.for(Object.entries(NONSENSE))('%s is no answer', async ([, script]) => {
  const { provider } = await open(script);
  const none = ['unavailable', 'unreadable'];
  expect(none).toContain((await provider.placeOrders([ORDER])).kind);
  expect(none).toContain((await provider.readProgress(['order-1'])).kind);
  expect(none).toContain((await provider.readCapacity()).kind);
});

test.for([
  [400, 'rejected'],
  [401, 'rejected'],
  [403, 'rejected'],
  [404, 'rejected'],
  [408, 'unavailable'],
  [429, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
] as const)('status %i is %s', async ([status, kind]) => {
  const { provider } = await open(json({ results: [] }, status));
  expect((await provider.placeOrders([ORDER])).kind).toBe(kind);
});

test('an answer that leaves an order out is unreadable, so that it is asked again', async () => {
  const { provider } = await open(json({ results: [{ ref: 'order-1', result: 'accepted' }] }));
  const outcome = await provider.placeOrders([ORDER, { ...ORDER, ref: 'order-2' }]);
  expect(outcome.kind).toBe('unreadable');
});

test('spellings of states are normalised, orders nobody asked for are dropped', async () => {
  const progress = { seq: 3, startCount: null, delivered: 1, views: 0, remains: 49 };
  const { provider } = await open(
    json({
      orders: [
        { ...progress, ref: 'order-1', status: 'in_progress' },
        { ...progress, ref: 'order-2', status: 'Completed' },
      ],
    }),
  );
  expect(await provider.readProgress(['order-1'])).toEqual({
    kind: 'answered',
    answer: [{ ...progress, ref: 'order-1', status: 'In progress' }],
  });
});

test('an unknown state is nonsense', async () => {
  const progress = { seq: 3, startCount: null, delivered: 1, views: 0, remains: 49 };
  const { provider } = await open(
    json({ orders: [{ ...progress, ref: 'order-1', status: 'Teleported' }] }),
  );
  expect((await provider.readProgress(['order-1'])).kind).toBe('unreadable');
});
