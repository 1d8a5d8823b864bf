import { ownerSession } from '#test/people/owner-session.ts';
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ENTITY_ROWS } from '#shared/sync/entities.ts';
import { PULL_PATH, PullAnswer } from '#shared/sync/pull.ts';
import { PUSH_PATH, PushAnswer } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH, SnapshotChunk, SnapshotEnd, SnapshotHead } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { createCreditsNode } from '#test/money/credits-fixture.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { startSyncServer, syncPath, type SyncServer } from '#test/calls/sync-server.ts';

const CLIENT = '01890000-0000-7000-8000-00000000c11e';

let server: SyncServer;
let ada: SignedIn;
let eve: SignedIn;
beforeAll(async () => {
  server = await startSyncServer();
  ada = await server.signIn('ada');
  eve = await server.signIn('eve');
});
afterAll(() => server.close());

function post(client: ApiClient, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return client.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function pull(customer: SignedIn, cursors: Record<string, number>, epoch: string | null) {
  const at = Object.entries(cursors).map(([scope, version]) => [scope, { v: version }]);
  const body = { epoch, clientId: CLIENT, cursors: Object.fromEntries(at) as object };
  const response = await post(customer.client, syncPath(PULL_PATH), body);
  expect(response.status).toBe(200);
  return v.parse(PullAnswer, await response.json());
}

async function push(customer: SignedIn, mutations: object[]): Promise<Response> {
  return post(customer.client, syncPath(PUSH_PATH), { clientId: CLIENT, mutations });
}

async function snapshot(customer: SignedIn, asked: Record<string, string> = {}) {
  const query = { scope: `w:${customer.workspaceId}`, ...asked };
  const text = await (await customer.client.send(syncPath(SNAPSHOT_PATH, query))).text();
  const [head, ...rest] = text.trim().split('\n');
  const parsed = rest.map((line) => JSON.parse(line) as object);
  return {
    end: v.parse(SnapshotEnd, parsed.at(-1)),
    head: v.parse(SnapshotHead, JSON.parse(head ?? '')),
    chunks: parsed.slice(0, -1).map((line) => v.parse(SnapshotChunk, line)),
  };
}

test('a snapshot brings every row of the workspace, and its posts as the call shows them', async () => {
  const { head, chunks, end } = await snapshot(ada);
  expect(end.more).toEqual({});
  expect(head.count).toEqual({ account: 1, post: 1, order: 0 });
  for (const { entity, rows } of chunks) {
    for (const [, , row] of rows) v.parse(ENTITY_ROWS[entity], row);
  }
  const { body } = await ada.client.call(CALLS.getPosts, { igId: ada.igId });
  const [row] = chunks.find(({ entity }) => entity === 'post')?.rows ?? [];
  expect(row?.[2]).toEqual({ ...body.data?.items[0], accountId: ada.accountId, listPosition: 0 });
});

test('of one account a snapshot brings its own row and posts, and nothing of the others', async () => {
  const two = await server.signIn('two.accounts');
  const { db } = server.deps.database;
  const other = '01890000-0000-7000-8000-0000000000b2';
  await db
    .insertInto('account')
    .values({
      id: other,
      workspace_id: two.workspaceId,
      ig_username: 'two.others',
      created_at: new Date(server.deps.clock.now()),
    })
    .execute();
  const all = await snapshot(two, { entity: 'account' });
  const known = all.chunks.flatMap(({ rows }) => rows.map(([id]) => id));
  expect(known).toContain(other);
  const behind = await snapshot(two, { entity: 'account', after: known[0] ?? '' });
  expect(behind.chunks.flatMap(({ rows }) => rows.map(([id]) => id))).toEqual(known.slice(1));
  const few = await snapshot(two, { limit: '1' });
  const held = few.chunks.filter(({ entity }) => entity === 'account');
  expect(held.flatMap(({ rows }) => rows)).toHaveLength(2);
  const ofOther = { ...two, accountId: other, igId: '17800000000000099', subscriptionId: '' };
  await plantPost(server.deps, ofOther, { id: '909' });
  const { chunks } = await snapshot(two, { account: two.accountId, limit: '128' });
  const ids = chunks.map(({ entity, rows }) => [entity, rows.map(([id]) => id)]);
  expect(ids).toEqual([
    ['account', [two.accountId]],
    ['post', [`${two.accountId}/101`]],
  ]);
});

test('a place to continue at that the database can’t read is refused before the first line', async () => {
  const bob = await server.signIn('places');
  const at = (place: string) =>
    bob.client.send(
      syncPath(SNAPSHOT_PATH, { scope: `w:${bob.workspaceId}`, entity: 'post', after: place }),
    );
  const [day, time] = ['2026-11-21', 'T12:00:00.123456Z'];
  for (const takenAt of [
    '9999-99-99T99:99:99Z',
    `2026-02-30${time}`,
    `0000-01-01${time}`,
    `${day}T24:00:00Z`,
    `${day}T12:00:00+01:00`,
    `${day}T1:2:3.4.5Z`,
  ]) {
    expect((await at(`${takenAt}|${bob.accountId}|101`)).status).toBe(400);
  }
  expect((await at(`${day}${time}|${'-'.repeat(36)}|101`)).status).toBe(400);
  expect((await at(`${day}${time}|${bob.accountId}|101|x`)).status).toBe(400);
  // Places are compared as text, in which capitals come first: rows would be left out.
  expect((await at(`${day}${time}|${bob.accountId.toUpperCase()}|101`)).status).toBe(400);
  const behind = await at(`${day}${time}|${bob.accountId}|101`);
  expect((await behind.text()).trim().split('\n').at(-1)).toContain('"end":true');
});

test('a change outside our transactions is pulled, and what can’t be seen is none', async () => {
  const { db } = server.deps.database;
  const scope = `w:${ada.workspaceId}`;
  const { head } = await snapshot(ada);
  await sql`update account set last_read_at = ${new Date()} where id = ${ada.accountId}`.execute(
    db,
  );
  expect((await pull(ada, { [scope]: head.v }, head.epoch)).scopes).toMatchObject({
    [scope]: { from: head.v, to: head.v, next: null, rows: [] },
  });
  await sql`update post set like_count = 77 where account_id = ${ada.accountId}`.execute(db);
  const { scopes } = await pull(ada, { [scope]: head.v }, head.epoch);
  expect(Object.values(scopes)).toMatchObject([
    {
      to: head.v + 1,
      rows: [
        ['post', `${ada.accountId}/101`, head.v + 1, { edge_media_preview_like: { count: 77 } }],
      ],
    },
  ]);
});

test('a foreign scope is dropped, an unknown one new, another epoch a resync', async () => {
  const own = `w:${ada.workspaceId}`;
  const foreign = `w:${eve.workspaceId}`;
  const { head } = await snapshot(ada);
  const answer = await pull(ada, { [own]: head.v, [foreign]: 0 }, head.epoch);
  expect(answer.drop).toEqual([foreign]);
  expect(Object.keys(answer.scopes)).toEqual([own]);
  expect(answer.new).toEqual([`b:${ada.workspaceId}`, `u:${ada.userId}`]);
  expect((await pull(ada, { [own]: head.v }, CLIENT)).resync).toEqual([own]);
});

test('an order sent twice is made once, a refusal is a result, and a gap is told', async () => {
  const buy = createCreditsNode(server.deps);
  const { userId, workspaceId, igUsername, accountId } = ada;
  const session = ownerSession({ sessionId: userId, userId, workspaceId });
  await buy({ session, igUsername, accountId, form: filledForm(ada) }, 'form');
  const orderId = '01890000-0000-7000-8000-0000000000a1';
  const args = { orderId, igId: ada.igId, postId: '101', shortCode: 'C101', likes: 50 };
  const sent = [
    { mid: 1, name: 'orderLikes', v: 1, args },
    { mid: 2, name: 'orderLikes', v: 1, args: { ...args, orderId: CLIENT, likes: 900_000 } },
    { mid: 3, name: 'setPreferences', v: 1, args: { density: 'compact' } },
  ];
  const first = v.parse(PushAnswer, await (await push(ada, sent)).json());
  expect(first.results).toMatchObject([
    { status: 'ok' },
    { status: 'rejected', code: 'credits_too_low' },
    { status: 'ok' },
  ]);
  const again = v.parse(PushAnswer, await (await push(ada, sent)).json());
  // Versions are those of now: at or beyond what the mutation changed.
  expect(again).toMatchObject({
    lastMid: 3,
    results: first.results.map(({ mid, status }) => ({ mid, status })),
  });
  const orders = await server.deps.database.db.selectFrom('like_order').select('id').execute();
  expect(orders).toEqual([{ id: orderId }]);
  const gap = await push(ada, [{ mid: 5, name: 'setPreferences', v: 1, args: {} }]);
  expect(gap.status).toBe(409);
  expect(await gap.json()).toMatchObject({ code: 'mutation_gap', fields: { lastMid: '3' } });
  const taken = await push(eve, [
    { mid: 1, name: 'orderLikes', v: 1, args: { ...args, igId: eve.igId } },
  ]);
  expect(await taken.json()).toMatchObject({
    results: [{ status: 'rejected', code: 'idempotency_conflict' }],
  });
});

test('the stream says where things stand and then what changes', async () => {
  const response = await ada.client.send(syncPath(STREAM_PATH));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('event: hello');
  await server.deps.database.transaction((tx) =>
    sql`update post set like_count = 78 where account_id = ${ada.accountId}`.execute(tx),
  );
  expect((await reader?.read())?.value).toContain('"edge_media_preview_like":{"count" : 78}');
  await reader?.cancel();
});

test('a choice about emails is the person’s, and their other devices hear of it', async () => {
  const own = await server.signIn('own.choice');
  const scope = `u:${own.userId}` as const;
  const { epoch, scopes: heads } = await pull(own, {}, null);
  expect(heads).toEqual({});
  const choose = { mid: 1, name: 'setPreferences', v: 1, args: { likesDoneMail: true } };
  await post(own.client, syncPath(PUSH_PATH), { clientId: CLIENT, mutations: [choose] });
  const { scopes } = await pull(own, { [scope]: 0 }, epoch);
  expect(JSON.stringify(scopes[scope]?.rows)).toContain('"likesDoneMail":true');
  const saved = await server.deps.database.db
    .selectFrom('user_preference')
    .select(['user_id', 'likes_done_mail'])
    .where('likes_done_mail', '=', true)
    .execute();
  expect(saved).toEqual([{ user_id: own.userId, likes_done_mail: true }]);
});

test('a call for another user’s replica is refused as without a session, and does nothing', async () => {
  const own = await server.signIn('own.replica');
  const queryOf = (userId: string) => ({ user: userId });
  const preferences = { mid: 1, name: 'setPreferences', v: 1, args: { density: 'compact' } };
  const pushed = { clientId: CLIENT, mutations: [preferences] };
  const asked = [
    [PUSH_PATH, pushed],
    [PULL_PATH, { epoch: null, clientId: CLIENT, cursors: {} }],
    [VERIFY_PATH, { clientId: CLIENT, scope: `w:${own.workspaceId}`, v: 0, entities: {} }],
  ] as const;
  for (const [path, body] of asked) {
    expect((await post(own.client, syncPath(path, queryOf(eve.userId)), body)).status).toBe(401);
  }
  for (const path of [SNAPSHOT_PATH, STREAM_PATH]) {
    const query = { scope: `w:${own.workspaceId}`, ...queryOf(eve.userId) };
    expect((await own.client.send(syncPath(path, query))).status).toBe(401);
  }
  const { lastMid } = await pull(own, {}, null);
  expect(lastMid).toBe(0);
  const taken = await post(own.client, syncPath(PUSH_PATH, queryOf(own.userId)), pushed);
  expect(await taken.json()).toMatchObject({ results: [{ mid: 1, status: 'ok' }], lastMid: 1 });
});

test('every sync call is refused without a session, in an old version, and for a foreign scope', async () => {
  const nobody = new ApiClient(server.app);
  const foreign = `w:${ada.workspaceId}`;
  const asked = [
    [PULL_PATH, { epoch: null, clientId: CLIENT, cursors: {} }],
    [PUSH_PATH, { clientId: CLIENT, mutations: [] }],
    [VERIFY_PATH, { clientId: CLIENT, scope: foreign, v: 0, entities: {} }],
    [SNAPSHOT_PATH, undefined],
    [STREAM_PATH, undefined],
  ] as const;
  for (const [path, body] of asked) {
    const ask = (client: ApiClient, url: string) =>
      body ? post(client, url, body) : client.send(url);
    expect((await ask(nobody, syncPath(path))).status).toBe(401);
    expect((await ask(eve.client, `${path}?protocol=0&schema=1`)).status).toBe(426);
  }
  const spied = await eve.client.send(syncPath(SNAPSHOT_PATH, { scope: foreign }));
  expect(spied.status).toBe(403);
  expect((await post(eve.client, syncPath(VERIFY_PATH), asked[2][1])).status).toBe(403);
});
