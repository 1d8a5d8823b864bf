import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { BROWSER_KEYS } from '#server/adapters/push/push-sender.conformance.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { TestDeps } from '#test/test-deps.ts';
import { openSession } from '../sessions/session.service.ts';
import { sendDuePushes } from './push.job.ts';
import { deleteDeadSubscriptions } from './push-subscription.repository.ts';

let bench: DeliveryBench;
let deps: TestDeps;
let app: Hono;
let userId: string;
beforeAll(async () => {
  bench = await openDeliveryBench();
  ({ deps } = bench);
  app = createApp(deps);
  const query = deps.database.db.selectFrom('app_user').select('id');
  ({ id: userId } = await query.executeTakeFirstOrThrow());
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await bench.clear();
  await deps.database.db.deleteFrom('push_subscription').execute();
  await deps.database.db.deleteFrom('session').execute();
});

/** A browser in which the customer is signed in. */
async function openBrowser(): Promise<ApiClient> {
  const { workspaceId } = bench.customer;
  const owner = { workspaceId, userId, keepSignedIn: true, userAgent: 'test' };
  const { token } = await openSession(deps, deps.database.db, owner);
  const client = new ApiClient(app);
  client.setCookie('ovation', token);
  return client;
}

const endpointOf = (name: string): string => `https://push.example/${name}`;
const save = (client: ApiClient, name: string, owner = userId) =>
  client.call(CALLS.savePush, {
    userId: owner,
    endpoint: endpointOf(name),
    ...BROWSER_KEYS,
  });
const findOut = async (client: ApiClient) =>
  (await client.call(CALLS.findPush, { userId })).body.data;

async function kept(): Promise<string[]> {
  const query = deps.database.db.selectFrom('push_subscription').select('endpoint');
  return (await query.orderBy('endpoint').execute()).map(({ endpoint }) => endpoint);
}

/** An order that is delivered in full now; resolves to the id of its post. */
async function deliver(): Promise<string> {
  const id = await bench.placedOrder();
  deps.clock.advance(MINUTE_MS);
  deps.provider.complete(id);
  await bench.poll();
  return (await bench.order(id)).post_id;
}

/** What one round sends, and to whom. */
async function round(): Promise<Array<{ endpoint: string; message: string }>> {
  const before = deps.pushSender.calls.length;
  await sendDuePushes(deps);
  return deps.pushSender.calls.slice(before);
}

test('a browser that asked for it is told once that likes are done, in these words and no more', async () => {
  const client = await openBrowser();
  expect(await findOut(client)).toEqual({ publicKey: 'fake-push-key', isOn: false });
  expect((await save(client, 'one')).httpStatus).toBe(200);
  expect(await findOut(client)).toMatchObject({ isOn: true });
  const postId = await deliver();
  const sent = await round();
  expect(sent.map(({ endpoint }) => endpoint)).toEqual([endpointOf('one')]);
  expect(JSON.parse(sent[0]?.message ?? '')).toEqual({
    title: 'Likes delivered: @ada',
    body: '20 likes delivered for @ada',
    path: `/dashboard?post=${postId}`,
  });
  expect(await round()).toEqual([]);
});

test('an order that ended early is no news of likes that are done', async () => {
  await save(await openBrowser(), 'one');
  const id = await bench.placedOrder();
  deps.clock.advance(MINUTE_MS);
  deps.provider.advance(id, { status: 'Partial', delivered: 13 });
  await bench.poll();
  expect(await round()).toEqual([]);
});

test('an address that no push service has is refused, and nothing is kept', async () => {
  const client = await openBrowser();
  const target = { endpoint: 'https://localhost/1', ...BROWSER_KEYS };
  const refused = await client.call(CALLS.savePush, { userId, ...target });
  expect(refused).toMatchObject({ httpStatus: 400, body: { code: 'invalid_input' } });
  expect(await kept()).toEqual([]);
});

test('turned off, logged out or run out, a browser is told nothing', async () => {
  const [off, out, over] = [await openBrowser(), await openBrowser(), await openBrowser()];
  await save(off, 'off');
  await save(out, 'out');
  await save(over, 'over');
  await deliver();
  await off.call(CALLS.removePush, { userId });
  await out.call(CALLS.logout, {});
  deps.clock.advance(31 * 24 * HOUR_MS);
  expect(await round()).toEqual([]);
  await deleteDeadSubscriptions(deps.database.db, new Date(deps.clock.now()));
  expect(await kept()).toEqual([]);
});

test('a subscription that the browser’s service no longer knows goes', async () => {
  await save(await openBrowser(), 'gone');
  await deliver();
  deps.pushSender.answerOnce(410);
  expect(await round()).toHaveLength(1);
  expect(await kept()).toEqual([]);
});

test('a service that is down is asked again later and later, and given up after about an hour', async () => {
  await save(await openBrowser(), 'down');
  await deliver();
  let attempts = 0;
  for (let nth = 0; nth < 8; nth += 1) deps.pushSender.answerOnce(503);
  for (let minute = 0; minute < 600; minute += 1) {
    attempts += (await round()).length;
    deps.clock.advance(MINUTE_MS);
  }
  expect(attempts).toBe(8);
  expect(await kept()).toEqual([endpointOf('down')]);
});

test('orders that end while a service is down are told together once it is back', async () => {
  await save(await openBrowser(), 'back');
  await deliver();
  deps.pushSender.answerOnce(503);
  await round();
  await deliver();
  deps.clock.advance(MINUTE_MS);
  const sent = await round();
  expect(sent.map(({ message }) => JSON.parse(message) as unknown)).toEqual([
    {
      title: 'Likes delivered: @ada',
      body: '40 likes delivered for @ada',
      path: '/dashboard',
    },
  ]);
  deps.clock.advance(HOUR_MS);
  expect(await round()).toEqual([]);
});

test('ten browsers are told, the oldest one goes', async () => {
  const names = Array.from({ length: 11 }, (_, nth) => `browser-${String(nth).padStart(2, '0')}`);
  for (const name of names) {
    await save(await openBrowser(), name);
    deps.clock.advance(1000);
  }
  expect(await kept()).toEqual(names.slice(1).map(endpointOf));
});

test('a browser in which somebody else logs in tells only them', async () => {
  await save(await openBrowser(), 'shared');
  const eve = await registerCustomer(app, deps, 'eve');
  await save(eve.client, 'shared', eve.user.id);
  expect(await kept()).toEqual([endpointOf('shared')]);
  await deliver();
  expect(await round()).toEqual([]);
});

test('the export names where a browser is told, without the keys, and deletion takes it away', async () => {
  const { client, user } = await registerCustomer(app, deps, 'gus');
  await save(client, 'gus', user.id);
  const { body } = await client.call(CALLS.exportData, { userId: user.id });
  const text = JSON.stringify(body.data);
  expect(text).toContain(endpointOf('gus'));
  expect(text).not.toContain(BROWSER_KEYS.auth);
  await client.call(CALLS.deleteAccount, { userId: user.id, password: 'correct horse battery' });
  expect(await kept()).toEqual([]);
});
