import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import * as v from 'valibot';
import { Post } from '#shared/contract/accounts/post.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { postKey, type Scope, scopeOf } from '#shared/contract/scope.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import {
  type Customer,
  plantAccount,
  plantCustomer,
  plantOrder,
  plantPost,
} from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { pageOfPosts, projectPosts } from './posts.repository.ts';
import type { ScopeOwner } from '#server/replica/scope-owner.ts';
import { getPosts } from './posts.service.ts';

let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
});

const hour = 3_600_000;

function ask(
  customer: Customer,
  request: { limit?: number; before?: string; beforeId?: string } = {},
) {
  const { workspaceId, igId } = customer;
  return getPosts(deps, {
    workspaceId,
    igId,
    limit: 100,
    before: undefined,
    beforeId: undefined,
    ...request,
  });
}

async function refusal(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown: unknown) => thrown);
  return error instanceof ApiError ? error.code : 'none';
}

/** A customer of an account on the fake network of which nothing is stored. */
function plantUnread(username: string): Promise<Customer> {
  const { igId } = deps.network.addAccount(username);
  return plantCustomer(deps, { igId, igUsername: username });
}

// Shows fact 7.07.
test('posts come newest first, 100 unless told, and older ones by `before`', async () => {
  const customer = await plantUnread('ada');
  const now = deps.clock.now();
  for (let age = 0; age < 103; age += 1) {
    await plantPost(deps, customer, { id: `${1000 + age}`, taken_at: new Date(now - age * hour) });
  }
  const { items } = await ask(customer);
  expect(items).toHaveLength(100);
  expect(items.slice(0, 3).map(({ id }) => id)).toEqual(['1000', '1001', '1002']);
  const last = items.at(-1)?.takenAt ?? '';
  const rest = await ask(customer, { before: last });
  expect(rest.items.map(({ id }) => id)).toEqual(['1100', '1101', '1102']);
  expect((await ask(customer, { limit: 2 })).items).toHaveLength(2);
});

test('of an account’s posts none is of another account of the workspace', async () => {
  const customer = await plantUnread('ada');
  const names = { igId: 'second', igUsername: 'ada.second' };
  const second = { ...customer, ...names, accountId: deps.ids.uuid() };
  await plantAccount(deps, second);
  const takenAt = deps.clock.now();
  await plantPost(deps, customer, { id: '1500', taken_at: new Date(takenAt) });
  await plantPost(deps, second, { id: '1501', taken_at: new Date(takenAt + hour) });
  // Nor does one take the place of the account’s own on a page.
  const { items } = await ask(customer, { limit: 1 });
  expect(items.map(({ id }) => id)).toEqual(['1500']);
});

test('a page edge within a second loses no post and repeats none', async () => {
  const customer = await plantUnread('ada');
  const taken_at = new Date(deps.clock.now());
  await plantPost(deps, customer, { id: '1', taken_at: new Date(taken_at.getTime() - hour) });
  for (const [id, list_position] of [
    ['30', 0],
    ['10', 1],
    ['20', 2],
    ['19', 2],
    ['40', 2],
  ] as const) {
    await plantPost(deps, customer, { id, taken_at, list_position });
  }
  const whole = (await ask(customer)).items.map(({ id }) => id);
  expect(whole).toHaveLength(6);
  for (const limit of [1, 2, 3, 4, 5]) {
    const paged: string[] = [];
    let { items } = await ask(customer, { limit });
    while (items.length > 0) {
      paged.push(...items.map(({ id }) => id));
      const { takenAt: before = '', id: beforeId = '' } = items.at(-1) ?? {};
      ({ items } = await ask(customer, { limit, before, beforeId }));
    }
    expect(paged).toEqual(whole);
  }
  const unknown = { before: taken_at.toISOString(), beforeId: '99' };
  expect((await ask(customer, unknown)).items.map(({ id }) => id)).toEqual(['1']);
});

/** How many orders this connection has found by an index, as far as it hasn't reported them yet. */
async function readOrders(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select idx_tup_fetch::int as count
    from pg_stat_xact_user_tables where relname = 'like_order'`.execute(tx);
  return rows[0]?.count ?? 0;
}

test('of its orders a post needs its own alone, also where the database knows no figures of them', async () => {
  const customer = await plantUnread('ada');
  const ids = Array.from({ length: 40 }, (_, nr) => `${1000 + nr}`);
  const credit = { kind: 'credit', subscription_id: null, local_day: null, slot: null } as const;
  for (const post_id of ids) {
    await plantPost(deps, customer, { id: post_id });
    await plantOrder(deps, customer, { post_id, ...credit });
  }
  const read = await deps.database.transaction(async (tx) => {
    // So few rows stand on one page, which is cheaper to read than an index; nor may a kept plan be used.
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    const { workspaceId, accountId } = customer;
    const database = { ...deps.database, db: tx };
    const keys = ids.map((id) => postKey(accountId, id));
    // What this connection did in the second before is counted too.
    const before = await readOrders(tx);
    await projectPosts({ ...deps, database }, { workspaceId }, keys);
    return (await readOrders(tx)) - before;
  });
  expect(read).toBe(ids.length);
});

// Shows fact 3.07.
test('a post is as the contract says, with purchased and organic likes apart', async () => {
  const customer = await plantUnread('ada');
  await plantPost(deps, customer, {
    id: '2000',
    like_count: 100,
    organic_likes: 81,
    lost_likes: 4,
    comment_count: 3,
    caption: 'Hi',
  });
  const automatic = await plantOrder(deps, customer, { post_id: '2000', slot: 1, bonus: 2 });
  const credit = { kind: 'credit', subscription_id: null, local_day: null, slot: null } as const;
  deps.clock.advance(1000);
  const ended = await plantOrder(deps, customer, { post_id: '2000', ...credit, ordered: 30 });
  deps.clock.advance(1000);
  const running = await plantOrder(deps, customer, { post_id: '2000', ...credit, ordered: 40 });
  await setOrder(automatic, { state: 'In progress', delivered: 7 });
  await setOrder(ended, { state: 'Partial', delivered: 12 });
  await setOrder(running, { state: 'Processing', delivered: 0 });

  const [post] = (await ask(customer)).items;
  expect(v.is(Post, post)).toBe(true);
  expect(post).toMatchObject({
    id: '2000',
    igId: customer.igId,
    caption: 'Hi',
    edge_media_preview_like: { count: 81 + 19 - 4 },
    edge_media_to_comment: { count: 3 },
    totalLikesPurchased: 12 + 40,
    automaticLikes: 7,
    deliveredLikes: 19,
    organicLikes: 81,
    automaticOutcome: 'ordered',
    order: { id: running, state: 'Processing', target: 40, bonus: 0, delivered: 0 },
  });
  expect(post?.display_url).toMatch(/^\/proxy\/[\w-]+$/);
});

function setOrder(
  id: string,
  change: { state: 'In progress' | 'Partial' | 'Processing'; delivered: number },
) {
  return deps.database.db.updateTable('like_order').set(change).where('id', '=', id).execute();
}

test('likes delivered for another workspace are in the total, and not organic', async () => {
  const mine = await plantUnread('ada');
  const theirs = await plantCustomer(deps, { igId: mine.igId, igUsername: 'ada' });
  await plantPost(deps, mine, { id: '3000', like_count: 5 });
  await plantPost(deps, theirs, { id: '3000', like_count: 5 });
  await setOrder(await plantOrder(deps, theirs, { post_id: '3000', slot: 1 }), {
    state: 'In progress',
    delivered: 9,
  });
  const [post] = (await ask(mine)).items;
  expect(post).toMatchObject({
    edge_media_preview_like: { count: 14 },
    organicLikes: 5,
    deliveredLikes: 0,
    order: null,
  });
});

test('a replica’s page of posts has the versions that its own scope has told', async () => {
  const customer = await plantUnread('ada');
  await plantPost(deps, customer, { id: '6000' });
  const { workspaceId, accountId } = customer;
  const owner = () => ({ workspaceId, scope: scopeOf('w', deps.ids.uuid()) });
  const [ada, ben] = [owner(), owner()];
  const rowsOf = (scope: Scope, v: number) => {
    const row = { workspace_id: workspaceId, scope, v, deleted: false };
    return [
      { ...row, entity: 'account' as const, id: accountId },
      { ...row, entity: 'post' as const, id: `${accountId}/6000` },
    ];
  };
  const rows = [...rowsOf(ada.scope, 7), ...rowsOf(ben.scope, 8)];
  await deps.database.db.insertInto('sync_row').values(rows).execute();
  const page = { after: undefined, account: undefined, limit: 5 };
  const versions = async (of: ScopeOwner) =>
    (await pageOfPosts(deps, of, page)).rows.map(({ v: version }) => version);
  expect([await versions(ada), await versions(ben)]).toEqual([[7], [8]]);
});

// Shows fact 3.08.
test('hidden likes are null, not 0', async () => {
  const customer = await plantUnread('ada');
  await plantPost(deps, customer, { id: '4000', like_count: null });
  const [post] = (await ask(customer)).items;
  expect(post).toMatchObject({ edge_media_preview_like: { count: null }, organicLikes: null });
});

test('an account nothing is stored of is read live, its posts without likes of ours', async () => {
  const customer = await plantUnread('ada');
  const post = deps.network.addPost('ada', { takenAtMs: deps.clock.now() - hour });
  const answer = await ask(customer);
  expect(answer.items.map(({ id }) => id)).toEqual([post.id]);
  expect(answer.readAt).toBe(new Date(deps.clock.now()).toISOString());
  const calls = deps.network.calls.length;
  await ask(customer);
  expect(deps.network.calls).toHaveLength(calls);
  expect(await bench.orders(customer)).toEqual([]);
});

test('an imported account without posts is empty, and the network is not asked again', async () => {
  const customer = await plantUnread('ada');
  await deps.database.db.updateTable('account').set({ imported_at: new Date() }).execute();
  const calls = deps.network.calls.length;
  expect((await ask(customer)).items).toEqual([]);
  expect(deps.network.calls).toHaveLength(calls);
});

test('where the live reading fails, each outcome has its own error and is remembered', async () => {
  const customer = await plantUnread('ada');
  deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
  expect(await refusal(ask(customer))).toBe('network_unreachable');
  expect((await bench.account(customer)).problem).toBe('unreachable');
  deps.network.hideAccount('ada');
  expect(await refusal(ask(customer))).toBe('account_unreadable');
  expect((await bench.account(customer)).problem).toBe('unreadable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 60_000, usage: undefined });
  expect(await refusal(ask(customer))).toBe('network_throttled');
});

test('another network account under the name is unreadable and stores nothing', async () => {
  const customer = await plantUnread('ada');
  deps.network.rename('ada', 'ada.old');
  deps.network.addAccount('ada');
  deps.network.addPost('ada');
  expect(await refusal(ask(customer))).toBe('account_unreadable');
  expect(await bench.posts(customer)).toEqual([]);
});

test('an account of another workspace, or of nobody, is not yours', async () => {
  const mine = await plantUnread('ada');
  const theirs = await plantUnread('bob');
  await plantPost(deps, theirs, { id: '5000' });
  expect(await refusal(ask({ ...mine, igId: theirs.igId }))).toBe('not_yours');
  expect(await refusal(ask({ ...mine, igId: '1' }))).toBe('not_yours');
});
