import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUSH_PATH } from '#shared/sync/push.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { SYNC_SCHEMA } from '#shared/sync/version.ts';
import { createMemoryStore, type MemoryStore } from '#web/replica/store/memory-store.fake.ts';
import { queueChange } from '#web/replica/outbox/outbox.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { takeLead } from '#web/replica/engine/sync-engine.ts';
import { createHttpNetwork } from '#web/replica/network/http-network.ts';
import { pullScopes } from '#web/replica/engine/pull-scopes.ts';
import { pushOutbox } from '#web/replica/outbox/push-outbox.ts';
import type { SyncWork } from '#web/replica/network/sync-network.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import { CLIENT_ID, postJson, readEvents } from '#test/calls/sync-client.ts';
import { startSyncServer, syncPath, type SyncServer } from '#test/calls/sync-server.ts';
import { type Downgrade, inSchema } from './project-log.ts';

const never = new AbortController().signal;

let server: SyncServer;
let ada: Awaited<ReturnType<SyncServer['signIn']>>;
beforeAll(async () => {
  server = await startSyncServer();
  ada = await server.signIn('ada');
});
afterAll(() => server.close());

/** The client's engine on a store, whose requests and answers are changed on their way. */
async function clientOn(
  store: MemoryStore,
  {
    asked = (url) => url,
    answered = (response) => Promise.resolve(response),
  }: {
    asked?: (url: string) => string;
    answered?: (response: Response) => Promise<Response>;
  } = {},
): Promise<SyncWork> {
  const fetch: typeof globalThis.fetch = async (input, init) =>
    answered(await ada.fetch(asked(input as string), init));
  return {
    store: await takeLead(store),
    network: createHttpNetwork({ baseUrl: '', fetch }),
    now: () => server.deps.clock.now(),
    newId: () => server.deps.ids.uuid(),
    report: () => undefined,
  };
}

async function like(likes: number): Promise<void> {
  await server.deps.database.db
    .updateTable('post')
    .set({ like_count: likes })
    .where('account_id', '=', ada.accountId)
    .execute();
}

const posts = (store: MemoryStore) => store.read((tx) => listRows(tx, 'post'));

test('old client, new server: rows are made for the schema that the client speaks', () => {
  const toFirst: Downgrade = (entity, row) =>
    entity === 'post' ? { ...row, likes: row['likeCount'], likeCount: undefined } : row;
  const planted = { downgrades: new Map([[1, toFirst]]), newest: 2 };
  const text = '{"id":"1","likeCount":5}';
  expect(inSchema('post', text, 2, planted)).toBe(text);
  expect(JSON.parse(inSchema('post', text, 1, planted))).toEqual({ id: '1', likes: 5 });
  expect(inSchema('order', text, 1, planted)).toBe(text);
});

test('old client, new server: schema 1 has a billing balance, which is 0 from now on', async () => {
  const work = await clientOn(createMemoryStore(), {
    asked: (url) => url.replace(`schema=${SYNC_SCHEMA}`, 'schema=1'),
  });
  for (const credits of [7, 14]) {
    await giveCredits(server.deps, ada.workspaceId, 7);
    expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
    const wallets = await work.store.read((tx) => listRows(tx, 'wallet'));
    expect(wallets).toMatchObject([{ credits, billingBalance: 0 }]);
  }
});

test('old client, new server: schema 3 asks for delivery settings, of which there are no rows any more', async () => {
  const at = { protocol: '1', schema: '3' };
  const scope = `w:${ada.workspaceId}`;
  const snapshot = async (asked: Record<string, string>): Promise<string[]> => {
    const query = new URLSearchParams({ ...at, scope, ...asked });
    const answer = await ada.client.send(`${SNAPSHOT_PATH}?${query.toString()}`);
    expect(answer.status).toBe(200);
    return [...(await answer.text()).matchAll(/"entity":"(\w+)"/g)].map(
      ([, entity]) => entity ?? '',
    );
  };
  expect(await snapshot({ entity: 'account,deliverySettings,post,order' })).toEqual([
    'account',
    'post',
  ]);
  // Broken off among them.
  const rest = { entity: 'deliverySettings,post,order', after: ada.accountId };
  expect(await snapshot(rest)).toEqual(['post']);
  const held = { count: 1, sum: '0123456789abcdef' };
  const { v } = await server.deps.database.db
    .selectFrom('sync_head')
    .select('v')
    .where('scope', '=', scope as Scope)
    .executeTakeFirstOrThrow();
  const claimed = { clientId: CLIENT_ID, scope, v, entities: { deliverySettings: held } };
  const path = `${VERIFY_PATH}?${new URLSearchParams(at).toString()}`;
  expect(await (await postJson(ada.client, path, claimed)).json()).toEqual({ status: 'same' });
});

test('old client, new server: what is too old is told to upgrade and keeps what it holds', async () => {
  const store = createMemoryStore();
  expect(await pullScopes(await clientOn(store), never)).toEqual({ kind: 'done' });
  const item = { id: '1', name: 'setPreferences', v: 1, args: {}, title: '', madeAt: 0 };
  await store.write((tx) => queueChange(tx, item, []));
  const held = await posts(store);
  const old = await clientOn(store, {
    asked: (url) => url.replace('protocol=1', 'protocol=0'),
  });
  await like(11);
  expect(await pullScopes(old, never)).toEqual({ kind: 'upgrade' });
  expect(await pushOutbox(old, never)).toEqual({ kind: 'upgrade' });
  expect(await posts(store)).toEqual(held);
  expect(await store.read((tx) => tx.listOutbox())).toHaveLength(1);
  // The newer client on the same store goes on where the older one stood.
  const newer = await clientOn(store);
  expect(await pullScopes(newer, never)).toEqual({ kind: 'done' });
  expect(await pushOutbox(newer, never)).toEqual({ kind: 'done' });
  expect(await posts(store)).toMatchObject([{ edge_media_preview_like: { count: 11 } }]);
});

test('old client, new server: what a newer server adds to its answers is passed over', async () => {
  const store = createMemoryStore();
  const answered = async (response: Response): Promise<Response> => {
    const text = await response.text();
    const more = text.startsWith('{"epoch"')
      ? text.replace('{"epoch"', '{"weather":{"sun":1},"epoch"')
      : text;
    return new Response(more, { status: response.status });
  };
  const work = await clientOn(store, { answered });
  expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
  await like(12);
  expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
  expect(await posts(store)).toMatchObject([{ edge_media_preview_like: { count: 12 } }]);
  const events = new Response('event: weather\ndata: {"sun":1}\n\nevent: reauth\ndata: {}\n\n');
  const strange = await clientOn(store, { answered: async () => events });
  const streaming = await strange.network.stream(never);
  const seen: string[] = [];
  if (streaming.kind === 'ok') for await (const { kind } of streaming.value) seen.push(kind);
  expect(seen).toEqual(['reauth']);
});

test('new client, old server: it is told which versions are served, and loses nothing', async () => {
  const store = createMemoryStore();
  const newer = await clientOn(store, {
    asked: (url) => url.replace(`schema=${SYNC_SCHEMA}`, `schema=${SYNC_SCHEMA + 1}`),
  });
  expect(await pullScopes(newer, never)).toEqual({ kind: 'upgrade' });
  const path = `${PUSH_PATH}?protocol=2&schema=1`;
  const refused = await postJson(ada.client, path, { clientId: CLIENT_ID, mutations: [] });
  expect(refused.status).toBe(426);
  expect(await refused.json()).toMatchObject({
    code: 'upgrade_needed',
    fields: { protocol: '1', schema: String(SYNC_SCHEMA) },
  });
});

test('new client, old server: a change unknown to it is refused as a result, and those behind it are done', async () => {
  const mutations = [
    { mid: 1, name: 'paintThePost', v: 1, args: {} },
    { mid: 2, name: 'setPreferences', v: 2, args: { density: 'compact' } },
    { mid: 3, name: 'setPreferences', v: 1, args: { density: 'compact' } },
  ];
  const answer = await postJson(ada.client, syncPath(PUSH_PATH), {
    clientId: CLIENT_ID,
    mutations,
  });
  expect(await answer.json()).toMatchObject({
    results: [
      { status: 'rejected', code: 'invalid_input' },
      { status: 'rejected', code: 'invalid_input' },
      { status: 'ok' },
    ],
  });
});

test('a client burns the number of what was deferred: no server of this wire carries it out under it any more', async () => {
  const clientId = '0192d3c0-0000-7000-8000-0000000000c7';
  const { igId } = ada;
  const args = { orderId: '0192d3c0-0000-7000-8000-0000000000b7', igId, postId: '101', likes: 30 };
  const order = { name: 'orderLikes', v: 1, args: { ...args, shortCode: 'C101' } };
  const push = async (mutation: object): Promise<unknown> => {
    const body = { clientId, mutations: [mutation] };
    return (await postJson(ada.client, syncPath(PUSH_PATH), body)).json();
  };
  const orders = async (): Promise<number> =>
    (
      await server.deps.database.db
        .selectFrom('like_order')
        .select('id')
        .where('id', '=', args.orderId)
        .execute()
    ).length;
  await giveCredits(server.deps, ada.workspaceId, 100);
  const spent = { results: [{ mid: 1, status: 'rejected', code: 'invalid_input' }], lastMid: 1 };
  expect(await push({ mid: 1, name: 'orderLikes', v: 0, args: {} })).toMatchObject(spent);
  // The first request under the number comes last.
  expect(await push({ ...order, mid: 1 })).toMatchObject(spent);
  expect(await orders()).toBe(0);
  expect(await push({ ...order, mid: 2 })).toMatchObject({ results: [{ mid: 2, status: 'ok' }] });
  expect(await orders()).toBe(1);
});

test('new client, old server: fields that an older server doesn’t know are no obstacle', async () => {
  const path = syncPath('/user/sync/pull');
  const body = { epoch: null, clientId: CLIENT_ID, cursors: {}, weather: 'sun' };
  expect((await postJson(ada.client, path, body)).status).toBe(200);
  const stream = await ada.client.send(syncPath('/user/sync/stream', { weather: 'sun' }));
  if (!stream.body) throw new Error('No stream');
  const events = readEvents(stream.body);
  expect(await events.next()).toContain('event: hello');
  await events.close();
});
