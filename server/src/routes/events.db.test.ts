import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ProviderProgress, SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { signMessage } from '#server/adapters/provider/signature.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { checkDelivery } from '#server/ops/invariants/delivery.ts';
import { registerProviderEventRoutes } from './events.routes.ts';

let bench: DeliveryBench;
let app: Hono;
beforeAll(async () => {
  bench = await openDeliveryBench();
  app = new Hono();
  app.onError((error, c) => errorResponse(c, bench.deps, error));
  registerProviderEventRoutes(app, bench.deps);
});
afterAll(() => bench.deps.database.close());
beforeEach(() => bench.clear());

const PATH = '/provider/events';

function send(body: string, signature = sign(body)): Promise<Response> {
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature };
  return Promise.resolve(app.request(PATH, { method: 'POST', headers, body }));
}

function sign(body: string, changes: { secret?: string; path?: string; ageMs?: number } = {}) {
  const { secret = TEST_SETTINGS.providerSecret, path = PATH, ageMs = 0 } = changes;
  const message = { method: 'POST', path, body };
  return signMessage(secret, message, bench.deps.clock.now() - ageMs);
}

const tell = (...orders: ProviderProgress[]) => send(JSON.stringify({ orders }));

test('an event brings an order forward without a poll', async () => {
  const id = await bench.placedOrder();
  const answer = await tell(bench.deps.provider.advance(id, { delivered: 3, startCount: 7 }));
  expect(answer.status).toBe(200);
  expect(await bench.order(id)).toMatchObject({
    state: 'In progress',
    delivered: 3,
    remains: 17,
    start_count: 7,
  });
});

test('events twice, late and out of order leave the receipt that polling leaves', async () => {
  const { provider } = bench.deps;
  const id = await bench.placedOrder();
  const first = provider.advance(id, { status: 'In progress', delivered: 3 });
  const second = provider.advance(id, { delivered: 12 });
  const last = provider.complete(id);
  await tell(second, first, second);
  bench.deps.clock.advance(2000);
  await bench.poll();
  const done = await bench.order(id);
  expect(done).toMatchObject({ state: 'Completed', delivered: 20, remains: 0 });
  for (const stale of [first, last, second]) await tell(stale, stale);
  expect(await bench.order(id)).toEqual(done);
  expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
});

test('events of two orders at once, sent by two senders at once, don’t lose one another', async () => {
  const { provider } = bench.deps;
  const ids = [await bench.placedOrder(), await bench.placedOrder()] as const;
  const [a, b] = [provider.complete(ids[0]), provider.complete(ids[1])];
  const answers = await Promise.all([tell(a, b), tell(b, a), tell(a), bench.poll()]);
  expect(answers.slice(0, 3).map((each) => (each as Response).status)).toEqual([200, 200, 200]);
  for (const id of ids) {
    expect(await bench.order(id)).toMatchObject({ state: 'Completed' });
    expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
  }
});

test('refs that aren’t ours are ignored, those beside them are not', async () => {
  const id = await bench.placedOrder();
  const real = bench.deps.provider.advance(id, { delivered: 3 });
  const foreign = { ...real, ref: '00000000-0000-7000-8000-00000000ffff' };
  const noUuid = { ...real, ref: "x' or 1=1" };
  expect((await tell(foreign, noUuid, real)).status).toBe(200);
  expect(await bench.order(id)).toMatchObject({ delivered: 3 });
});

test.each([
  ['no signature', () => ''],
  ['another secret', (body: string) => sign(body, { secret: 'guessed' })],
  ['a signature of another path', (body: string) => sign(body, { path: '/provider/event' })],
  ['a signature of another body', () => sign('{}')],
  ['a signature older than 5 minutes', (body: string) => sign(body, { ageMs: 301_000 })],
])('with %s it is refused and changes nothing', async (_what, signature) => {
  const id = await bench.placedOrder();
  const before = await bench.order(id);
  const body = JSON.stringify({ orders: [bench.deps.provider.complete(id)] });
  const answer = await send(body, signature(body));
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ status: 'error', code: 'bad_signature' });
  expect(await bench.order(id)).toEqual(before);
});

test.each([
  ['{"orders":', 400, 'malformed_body'],
  ['[]', 400, 'malformed_body'],
  ['{"orders":[]}', 400, 'invalid_input'],
  ['{"orders":[{"ref":"x","seq":1,"status":"gone"}]}', 400, 'invalid_input'],
  [`{"orders":"${'x'.repeat(70_000)}"}`, 413, 'body_too_large'],
])('signed nonsense is a clear error: %.20s', async (body, status, code) => {
  const answer = await send(body);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ status: 'error', code });
});

test.each([
  ['startCount', 3e9],
  ['startCount', 2_147_483_648],
  ['delivered', 9e15],
  ['delivered', 1.5],
  ['views', -1],
  ['seq', 9e15],
  ['seq', 2_147_483_648],
  ['remains', Number.MAX_VALUE],
])(
  'an order with a %s of %d is left out, and the others of its batch are stored',
  async (field, n) => {
    const { deps } = bench;
    const [bad, good] = [await bench.placedOrder(), await bench.placedOrder()];
    const before = await bench.order(bad);
    const wrong = { ...deps.provider.advance(bad, { delivered: 3 }), [field]: n };
    const logged = deps.logged.length;
    expect((await tell(wrong, deps.provider.advance(good, { delivered: 4 }))).status).toBe(200);
    expect(await bench.order(bad)).toEqual(before);
    expect(await bench.order(good)).toMatchObject({ delivered: 4 });
    expect(deps.logged.slice(logged)).toMatchObject([{ event: 'state of an order not readable' }]);
    // The largest that is taken can be stored.
    const most = { ...deps.provider.advance(good, { delivered: 5 }), startCount: 2_147_483_647 };
    expect((await tell({ ...most, seq: 2_147_483_647 })).status).toBe(200);
    expect(await bench.order(good)).toMatchObject({ delivered: 5, start_count: 2_147_483_647 });
  },
);

test('likes that the provider takes back stay delivered, and an operator hears of it', async () => {
  const { deps } = bench;
  const id = await bench.placedOrder();
  const first = deps.provider.advance(id, { delivered: 12 });
  await tell(first);
  const logged = deps.logged.length;
  await tell({ ...first, seq: first.seq + 1, delivered: 3, remains: 17 });
  expect(await bench.order(id)).toMatchObject({
    delivered: 12,
    remains: 8,
    provider_seq: first.seq + 1,
  });
  expect(deps.logged.slice(logged)).toMatchObject([
    { severity: 'error', event: 'provider takes likes back', fields: { orderId: id } },
  ]);
  await tell({ ...first, seq: first.seq + 2, status: 'Canceled', delivered: 0, remains: 20 });
  expect(await bench.order(id)).toMatchObject({ state: 'Partial', delivered: 12, remains: 8 });
  const book = [
    { ref: id, result: 'accepted', status: 'Canceled', ordered: 20, delivered: 0, views: 0 },
  ] as const;
  const violations = await checkDelivery(deps.database.db, () => Promise.resolve(book));
  expect(violations).toMatchObject([{ invariant: 'I4' }]);
});

test('an order that can’t be stored keeps none of its batch waiting', async () => {
  const { deps } = bench;
  const [bad, good] = [await bench.placedOrder(), await bench.placedOrder()];
  await sql`alter table like_order add constraint planted check (id <> ${sql.lit(bad)} or delivered = 0)`.execute(
    deps.database.db,
  );
  const news = [bad, good].map((id) => deps.provider.advance(id, { delivered: 4 }));
  expect((await tell(...news)).status).toBe(200);
  expect(await bench.order(bad)).toMatchObject({ delivered: 0 });
  expect(await bench.order(good)).toMatchObject({ delivered: 4 });
  deps.clock.advance(60_000);
  await bench.poll();
  expect(await bench.order(bad)).toMatchObject({ delivered: 0 });
  await sql`alter table like_order drop constraint planted`.execute(deps.database.db);
});
