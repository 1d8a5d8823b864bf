import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { registration } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from '#server/main/app.ts';
import { FakeClock } from '#test/fake-clock.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const instant = (offsetMs = 0) => new Date(deps.clock.now() + offsetMs).toISOString();
const browser = (name: string) => new ApiClient(app, { address: `browser-${name}` });

/** Registers in that browser; the credits the new customer has. */
async function register(client: ApiClient, name: string): Promise<number | undefined> {
  deps.network.addAccount(name);
  const { body } = await client.call(CALLS.register, registration(name));
  return body.data?.credits;
}

// Shows fact 4.04.
test('the first view opens a window of five minutes; reloading doesn’t restart it', async () => {
  const client = browser('reload');
  const { body, headers } = await client.call(CALLS.openPromo, {});
  expect(body).toEqual({
    status: 'success',
    data: { credits: 500, now: instant(), endsAt: instant(300_000) },
  });
  expect(headers.getSetCookie().join()).toMatch(/^ovation-promo=.*Max-Age=34560000.*HttpOnly/);
  const endsAt = instant(300_000);
  deps.clock.advance(120_000);
  const again = await client.call(CALLS.openPromo, {});
  expect(again.body.data).toEqual({ credits: 500, now: instant(), endsAt });
  expect(again.headers.getSetCookie()).toEqual([]);
  deps.clock.advance(86_400_000);
  expect((await client.call(CALLS.openPromo, {})).body.data?.endsAt).toBe(endsAt);
});

// Shows fact 9.09.
test('a registration inside the window gets 500 credits, kept in the ledger', async () => {
  const client = browser('inside');
  await client.call(CALLS.openPromo, {});
  deps.clock.advance(200_000);
  expect(await register(client, 'inside')).toBe(500);
  const user = await client.call(CALLS.login, registration('inside'));
  const { id = '' } = user.body.data ?? {};
  const ledger = await client.call(CALLS.findLedger, { userId: id });
  expect(ledger.body.data).toMatchObject({
    balance: 500,
    entries: [{ kind: 'bonus', credits: 500, balance: 500, description: 'Sign-up bonus' }],
  });
  expect(user.body.data?.inSubscription).toBe(false);
});

test.each([
  [310_000, 500],
  [310_001, 0],
])('a registration %i ms after the first view gets %i credits', async (afterMs, credits) => {
  const client = browser(`edge${afterMs}`);
  await client.call(CALLS.openPromo, {});
  deps.clock.advance(afterMs);
  expect(await register(client, `edge${afterMs}`)).toBe(credits);
});

test('the moment of arrival counts, not how long the registration takes', async () => {
  const client = browser('slow');
  await client.call(CALLS.openPromo, {});
  deps.clock.advance(309_999);
  const slow = createApp({
    ...deps,
    network: {
      ...deps.network,
      readAccount: (...args: Parameters<typeof deps.network.readAccount>) => {
        deps.clock.advance(5000);
        return deps.network.readAccount(...args);
      },
    },
  });
  deps.network.addAccount('slow');
  const response = await slow.request('/user/user/register', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `ovation-promo=${client.cookie('ovation-promo') ?? ''}`,
    },
    body: String(new URLSearchParams(registration('slow') as unknown as Record<string, string>)),
  });
  expect(await response.json()).toMatchObject({ data: { credits: 500 } });
});

test('without a window, and with a forged one, there is no bonus', async () => {
  expect(await register(browser('none'), 'none')).toBe(0);
  const forger = browser('forger');
  forger.setCookie('ovation-promo', `${deps.clock.now()}.${'A'.repeat(43)}`);
  expect(await register(forger, 'forger')).toBe(0);
});

test('a refused registration leaves no bonus behind', async () => {
  const client = browser('taken');
  await client.call(CALLS.openPromo, {});
  const { db } = deps.database;
  const all = db.selectFrom('ledger_transaction').selectAll().orderBy('id');
  const before = await all.execute();
  const taken = { ...registration('inside'), igUsername: 'inside' };
  expect((await client.call(CALLS.register, taken)).httpStatus).toBe(409);
  expect(await all.execute()).toEqual(before);
});

test('a clock that goes back neither ends a window nor prolongs it', async () => {
  const client = browser('back');
  await client.call(CALLS.openPromo, {});
  const endsAt = instant(300_000);
  const behind = new FakeClock();
  const app = createApp({ ...deps, clock: behind });
  const cookie = `ovation-promo=${client.cookie('ovation-promo') ?? ''}`;
  const response = await app.request(CALLS.openPromo.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: '{}',
  });
  expect(await response.json()).toMatchObject({ data: { endsAt } });
});

// Shows fact 9.09.
test('a window gives its bonus once, also to two at once, and is over with it', async () => {
  const client = browser('once');
  await client.call(CALLS.openPromo, {});
  const kept = client.cookie('ovation-promo') ?? '';
  const other = browser('once-more');
  other.setCookie('ovation-promo', kept);
  const both = await Promise.all([register(client, 'once'), register(other, 'once.more')]);
  expect(both.toSorted()).toEqual([0, 500]);

  deps.clock.advance(10_000);
  expect((await client.call(CALLS.openPromo, {})).body.data?.endsAt).toBe(instant(-10_000));
  expect(await register(client, 'once.again')).toBe(0);
});

test('two windows that begin at the same moment are two', async () => {
  const clients = [browser('same.moment'), browser('same.moment.too')];
  for (const client of clients) await client.call(CALLS.openPromo, {});
  for (const [n, client] of clients.entries()) {
    expect(await register(client, `moment${n}`)).toBe(500);
  }
});

test('another spelling of the same cookie is the same window', async () => {
  const client = browser('speller');
  await client.call(CALLS.openPromo, {});
  const kept = client.cookie('ovation-promo') ?? '';
  expect(await register(client, 'speller')).toBe(500);
  client.setCookie('ovation-promo', `0${kept}`);
  expect(await register(client, 'speller.again')).toBe(0);
});
