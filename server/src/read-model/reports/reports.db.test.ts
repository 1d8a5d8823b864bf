import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { pdfLines } from '#test/pdf-text.ts';
import { joinAs } from '#test/people/team.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
let viewer: Customer;
let bakery: string;
let cinema: string;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  viewer = await joinAs(deps, app, owner, 'the.viewer', 'Viewer');
  await deps.database.db
    .updateTable('app_user')
    .set({ time_zone: 'America/New_York' })
    .where('id', '=', owner.user.id)
    .execute();
  bakery = await makeClient(owner, 'Bakery');
  cinema = await makeClient(owner, 'Cinema');
  await grant(owner, viewer, [{ clientId: bakery, role: 'Viewer' }]);
  const bread = await keep('bread', bakery);
  // The last hour of October in New York.
  await post(bread, '201', '2026-11-01T03:30:00Z', {
    like_count: 94,
    organic_likes: 40,
    lost_likes: 6,
  });
  await order(bread, '201', { delivered: 40, tookSeconds: 30 });
  await order(bread, '201', { delivered: 20, tookSeconds: 200 });
  await post(bread, '202', '2026-10-05T12:00:00Z', { like_count: null });
  await order(bread, '202', { delivered: 10 });
  await post(bread, '203', '2026-11-01T04:00:00Z', { like_count: 9 });
  const gone = new Date(deps.clock.now());
  await post(bread, '204', '2026-10-06T12:00:00Z', { like_count: 7, deleted_at: gone });
  const film = await keep('film', cinema);
  await post(film, '301', '2026-10-05T12:00:00Z', { like_count: 50 });
});
afterAll(() => deps.database.close());

type Kept = Awaited<ReturnType<typeof keep>>;

async function keep(igUsername: string, clientId: string) {
  const accountId = await connectFor(deps, owner, igUsername, clientId);
  const row = await deps.database.db
    .selectFrom('account')
    .select(['workspace_id', 'ig_id'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const of = { accountId, igUsername, igId: row.ig_id ?? '', subscriptionId: '' };
  return { ...of, workspaceId: row.workspace_id };
}

const post = (
  of: Kept,
  id: string,
  takenAt: string,
  more: Partial<Parameters<typeof plantPost>[2]>,
): Promise<void> => plantPost(deps, of, { id, taken_at: new Date(takenAt), ...more });

/** An order paid with credits; without a time it isn't done. */
async function order(
  of: Kept,
  postId: string,
  { delivered, tookSeconds }: { delivered: number; tookSeconds?: number },
): Promise<void> {
  const none = { subscription_id: null, local_day: null, slot: null };
  const terms = { plan_price_cents: null, plan_likes: null, period_days: null };
  const id = await plantOrder(deps, of, {
    post_id: postId,
    kind: 'credit',
    ordered: 100,
    ...none,
    ...terms,
  });
  const done = tookSeconds !== undefined && {
    state: 'Completed' as const,
    finished_at: new Date(deps.clock.now() + tookSeconds * 1000),
  };
  await deps.database.db
    .updateTable('like_order')
    .set({ delivered, ...done })
    .where('id', '=', id)
    .execute();
}

type Which = Omit<CallInput<typeof CALLS.findReport>, 'userId'>;
const ask = async ({ client, user }: Customer, which: Which) => {
  const { body } = await client.call(CALLS.findReport, { userId: user.id, ...which });
  return body;
};

const OF_BREAD = {
  posts: 2,
  organic: 40,
  delivered: 70,
  retention: 0.9,
  halfSeconds: 30,
  mostSeconds: 200,
};
const OF_FILM = {
  posts: 1,
  organic: null,
  delivered: 0,
  retention: null,
  halfSeconds: null,
  mostSeconds: null,
};

test('a report counts the posts of its month and zone, organic likes only where they may be seen', async () => {
  const { data } = await ask(owner, { month: '2026-10' });
  expect(data?.report).toMatchObject({
    clientName: null,
    totals: { ...OF_BREAD, posts: 3 },
    unknownPosts: 2,
    isDemoData: true,
  });
  const accounts = data?.report.accounts.filter(({ posts }) => posts > 0);
  expect(accounts).toEqual([
    { igUsername: 'bread', ...OF_BREAD },
    { igUsername: 'film', ...OF_FILM },
  ]);
  const days = data?.report.days.filter(({ posts }) => posts > 0);
  expect(days).toEqual([
    { day: '2026-10-05', posts: 2, organic: 0, delivered: 10 },
    { day: '2026-10-31', posts: 1, organic: 40, delivered: 60 },
  ]);
});

test('who works for one client sees that one’s report, on the screen and as a PDF, and no other', async () => {
  const month = '2026-10';
  const first = await ask(viewer, { month });
  expect(first.data).toMatchObject({
    clientId: bakery,
    seesAll: false,
    clients: [{ id: bakery, name: 'Bakery' }],
    report: { clientName: 'Bakery', totals: OF_BREAD, accounts: [{ igUsername: 'bread' }] },
  });
  for (const clientId of [cinema, null]) {
    expect((await ask(viewer, { clientId, month })).code).toBe('not_found');
  }
  const { client, user } = viewer;
  const asked = { userId: user.id, clientId: bakery, month };
  const { body } = await client.call(CALLS.downloadReport, asked);
  expect(body.data?.fileName).toBe('report-bakery-2026-10.pdf');
  const lines = pdfLines(Buffer.from(body.data?.pdf ?? '', 'base64'));
  const at = lines.indexOf('@bread');
  expect(lines.slice(at, at + 7)).toEqual(['@bread', '2', '40', '70', '90%', '30 s', '3 min 20 s']);
  expect(lines.filter((line) => line.startsWith('@'))).toEqual(['@bread']);
});

test('a month that hasn’t begun has no report', async () => {
  const { data } = await ask(owner, {});
  expect(data?.report.month).toBe(data?.newestMonth);
  expect((await ask(owner, { month: '2099-01' })).code).toBe('not_found');
});

test('a workspace makes so many reports in ten minutes, looked at and drawn together', async () => {
  const { client, user } = owner;
  const nobodys = { userId: user.id, clientId: '01890000-0000-7000-8000-000000000001' };
  expect((await client.call(CALLS.findReport, nobodys)).body.code).toBe('not_found');
  await countUses(deps, LIMITS.report, LIMITS.report.uses - 1);
  const answers = [
    await client.call(CALLS.findReport, nobodys),
    await client.call(CALLS.downloadReport, nobodys),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(['rate_limited', 'rate_limited']);
  deps.clock.advance(LIMITS.report.perMs);
  const { body } = await client.call(CALLS.downloadReport, nobodys);
  expect(body.code).toBe('not_found');
});
