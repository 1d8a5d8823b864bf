import { afterEach, beforeEach, expect, test } from 'vitest';
import { SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import type { OutsideWorld } from '../outside-world.fake.ts';
import { createOutsideWorld } from '../outside-world.fake.ts';
import { registerProvider } from '../provider.ts';
import { orderFor, providerClient } from './provider-client.fake.ts';
import { signRequest } from './signature.ts';

let world: OutsideWorld;
let client: ReturnType<typeof providerClient>;

beforeEach(() => {
  world = createOutsideWorld();
  registerProvider(world.app, world.ctx, { tickMs: 0 });
  client = providerClient(world);
});

afterEach(() => world.drop());

const CALLS = [
  ['POST', '/provider/v1/orders'],
  ['GET', '/provider/v1/orders?refs=a'],
  ['POST', '/provider/v1/orders/cancel'],
  ['GET', '/provider/v1/capacity'],
] as const;

test('every call without a fresh and right signature is refused', async () => {
  for (const [method, path] of CALLS) {
    const body = method === 'POST' ? '{"refs":["a"]}' : '';
    const content = method === 'POST' ? { body } : {};
    const old = signRequest(world.ctx.settings.providerSecret, world.clock.nowMs - 301_000, {
      method,
      path,
      body,
    });
    const wrong = signRequest('a guess', world.clock.nowMs, { method, path, body });
    for (const headers of [{}, { [SIGNATURE_HEADER]: old }, { [SIGNATURE_HEADER]: wrong }]) {
      const answer = await world.app.request(path, { method, headers, ...content });
      expect(answer.status).toBe(401);
    }
  }
});

test('malformed bodies and too many orders or refs are refused as a whole', async () => {
  const media = world.post();
  const many = Array.from({ length: 101 }, (_, index) => `ref-${index}`);
  const orders = many.map((ref) => orderFor(world, media, { ref }));
  for (const content of [{ orders }, { orders: [] }, {}, 'text', { orders: [{}] }]) {
    expect((await client.call('POST', '/provider/v1/orders', content)).status).toBe(400);
  }
  expect((await client.call('GET', '/provider/v1/orders')).status).toBe(400);
  const refs = many.join(',');
  expect((await client.call('GET', `/provider/v1/orders?refs=${refs}`)).status).toBe(400);
  expect(await client.book()).toEqual([]);
});

test('capacity says how many members there are and what they do in an hour', async () => {
  expect(await (await client.call('GET', '/provider/v1/capacity')).json()).toEqual({
    members: 20_000,
    perHour: 600_000,
    backlogMinutes: 0,
  });
  expect((await client.setMembers(-1)).status).toBe(400);
  await client.setMembers(500, 1000);
  world.ctx.faults.set('provider', 'backlog', { minutes: 90 });
  world.ctx.faults.set('provider', 'members', { count: 12 });
  expect(await (await client.call('GET', '/provider/v1/capacity')).json()).toEqual({
    members: 12,
    perHour: 1000,
    backlogMinutes: 90,
  });
});

test('a call that fails before its work leaves nothing, one that fails after it leaves the order', async () => {
  const order = orderFor(world, world.post());
  const send = () => client.call('POST', '/provider/v1/orders', { orders: [order] });
  for (const [scenario, status] of [
    ['error', 500],
    ['reset', 502],
    ['down', 503],
  ] as const) {
    world.ctx.faults.set('provider', scenario, { times: 1 });
    expect((await send()).status).toBe(status);
  }
  expect(await client.book()).toEqual([]);
  for (const [scenario, status] of [
    ['error_after', 500],
    ['reset_after', 502],
  ] as const) {
    world.ctx.faults.set('provider', scenario, { times: 1 });
    expect((await send()).status).toBe(status);
  }
  world.ctx.faults.set('provider', 'nonsense', { times: 1, kind: 'html' });
  expect(await (await send()).text()).toContain('<!doctype html>');
  world.ctx.faults.set('provider', 'nonsense', { times: 1, kind: 'cut' });
  await expect((await send()).json()).rejects.toThrow(SyntaxError);
  expect(await client.book()).toMatchObject([{ seen: 4 }]);
});

test('a fraction of the calls fails, and only the ones that were meant', async () => {
  world.ctx.faults.set('provider', 'fail', { fraction: 0.25, call: 'provider.progress' });
  const statuses: number[] = [];
  for (let call = 0; call < 200; call += 1) {
    statuses.push((await client.call('GET', '/provider/v1/orders?refs=a')).status);
    expect((await client.call('GET', '/provider/v1/capacity')).status).toBe(200);
  }
  const failed = statuses.filter((status) => status !== 200).length;
  expect(failed).toBeGreaterThan(25);
  expect(failed).toBeLessThan(80);
  expect(new Set(statuses)).toEqual(new Set([200, 500, 502]));
});

test('a ref or a post can be refused on purpose', async () => {
  const media = world.post();
  world.ctx.faults.set('provider', 'refuse', { ref: 'order-2', reason: 'provider_whim' });
  const orders = ['order-1', 'order-2'].map((ref) => orderFor(world, media, { ref }));
  expect(await client.place(...orders)).toEqual(['accepted', 'provider_whim']);
});
