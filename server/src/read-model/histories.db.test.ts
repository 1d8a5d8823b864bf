import type { Hono } from 'hono';
import { ownerSession } from '#test/people/owner-session.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { filledForm, type Shopper } from '#test/checkout-fixture.ts';
import { createCreditsNode, orderLikes } from '#test/money/credits-fixture.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from '#server/main/app.ts';
import { downloadLedger } from './ledger.service.ts';

const CSV = '/user/creditsTransaction/ledger.csv';

let deps: TestDeps;
let app: Hono;
let ada: SignedIn;
let buy: ReturnType<typeof createCreditsNode>;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  buy = createCreditsNode(deps);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  made += 1;
  ada = await signInShopper(app, deps, `ada${made}`);
});

function shopperOf({ userId, workspaceId, igUsername, accountId }: SignedIn): Shopper {
  const session = ownerSession({ sessionId: userId, userId, workspaceId });
  return { session, igUsername, accountId, form: filledForm({ userId, igUsername }) };
}

// Shows fact 3.05.
test('the histories show payments and every change of the balance, newest first', async () => {
  await buy(shopperOf(ada), 'form');
  deps.clock.advance(1000);
  await orderLikes(deps, ada, { postId: '101', likes: 100 });
  const payments = await ada.client.call(CALLS.findTransactions, { userId: ada.userId });
  expect(payments.body.data).toMatchObject([{ description: '2,500 credits', price: 10 }]);
  const { body } = await ada.client.call(CALLS.findLedger, { userId: ada.userId });
  const post = `post C101 of @${ada.igUsername}`;
  expect(body.data).toMatchObject({
    balance: 2400,
    entries: [
      {
        kind: 'spend',
        credits: -100,
        balance: 2400,
        description: `100 extra likes for ${post}`,
      },
      { kind: 'pack', credits: 2500, balance: 2500, description: 'Credit pack: 2,500 credits' },
    ],
  });
});

test('the histories are empty before anything happened', async () => {
  const { body } = await ada.client.call(CALLS.findLedger, { userId: ada.userId });
  expect(body.data).toEqual({ balance: 0, entries: [] });
});

test('the histories can be downloaded as a spreadsheet', async () => {
  await buy(shopperOf(ada), 'form');
  const response = await ada.client.send(CSV);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="credits.csv"');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const [head, line, end] = (await response.text()).split('\r\n');
  expect(head).toBe('at,kind,description,credits,balance,id');
  expect(line).toContain(',pack,"Credit pack: 2,500 credits",2500,2500,');
  expect(end).toBe('');
});

test('the ledger comes in pages, and its download is whole however long it is', async () => {
  for (const form of ['form', 'form-2', 'form-3']) await buy(shopperOf(ada), form);
  await orderLikes(deps, ada, { postId: '101', likes: 100 });
  const page = async (request: { limit?: number; before?: string }) => {
    const input = { userId: ada.userId, ...request };
    return (await ada.client.call(CALLS.findLedger, input)).body.data?.entries ?? [];
  };
  const whole = await page({});
  expect(whole.map(({ balance }) => balance)).toEqual([7400, 7500, 5000, 2500]);
  const first = await page({ limit: 3 });
  expect(first).toEqual(whole.slice(0, 3));
  expect(await page({ limit: 3, before: first[2]?.id ?? '' })).toEqual(whole.slice(3));
  const eve = await signInShopper(app, deps, `eve${made}`);
  await buy(shopperOf(eve), 'form');
  const foreign = { userId: eve.userId, before: whole[0]?.id ?? '' };
  expect((await eve.client.call(CALLS.findLedger, foreign)).body.data?.entries).toEqual([]);
  const tooMany = await ada.client.call(CALLS.findLedger, { userId: ada.userId, limit: 1001 });
  expect([tooMany.httpStatus, tooMany.body.fields]).toEqual([
    400,
    { limit: 'Please ask for 1 to 1,000 changes' },
  ]);
  for (const limit of [1, 2, 4, 9]) {
    let csv = '';
    for await (const piece of downloadLedger(deps, ada.workspaceId, limit)) csv += piece;
    expect(csv).toBe(await (await ada.client.send(CSV)).text());
    expect(csv.split('\r\n')).toHaveLength(1 + 4 + 1);
  }
});

test('the histories are downloaded by their owner only', async () => {
  await buy(shopperOf(ada), 'form');
  const stranger = new ApiClient(app);
  expect((await stranger.send(CSV)).status).toBe(401);
  stranger.setCookie('ovation', 'A'.repeat(43));
  expect((await stranger.send(CSV)).status).toBe(401);
  const eve = await signInShopper(app, deps, `eve${made}`);
  expect(await (await eve.client.send(CSV)).text()).toBe(
    'at,kind,description,credits,balance,id\r\n',
  );
  await ada.client.call(CALLS.logout, {});
  expect((await ada.client.send(CSV)).status).toBe(401);
  expect((await ada.client.send(CSV, { method: 'POST' })).status).toBe(405);
});
