import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { openStream, readEvents, type ReadStream } from '#test/calls/sync-client.ts';
import {
  createSyncApp,
  startSyncServer,
  syncPath,
  type SyncServer,
} from '#test/calls/sync-server.ts';
import type { ScopeOwner, ScopesOf } from '../scope-owner.ts';
import { scopesOfMember } from '../scope-owner.ts';
import { StreamHub } from './stream-hub.service.ts';

let server: SyncServer;
let ada: SignedIn;
beforeAll(async () => {
  server = await startSyncServer();
  ada = await server.signIn('ada');
});
afterAll(() => server.close());

/** A change of a post, with a caption of so many characters. */
async function change(customer: SignedIn, likes: number, characters = 0): Promise<void> {
  await server.deps.database.transaction((tx) =>
    tx
      .updateTable('post')
      .set({ like_count: likes, caption: 'x'.repeat(characters) })
      .where('account_id', '=', customer.accountId)
      .execute(),
  );
}

/** Another app on the same database, in which the customer is signed in too. */
function clientOf(app: ConstructorParameters<typeof ApiClient>[0], customer: SignedIn): ApiClient {
  const client = new ApiClient(app);
  client.setCookie('ovation', customer.client.cookie('ovation') ?? '');
  return client;
}

/**
 * Moves the clock until the event is there, whenever somebody sleeps: while the database is asked, hours would
 * pass and end the session.
 */
async function whileTimePasses(next: Promise<string>): Promise<string> {
  const arrived = next.then(() => true);
  const soon = (): Promise<false> => new Promise((resolve) => setImmediate(() => resolve(false)));
  const { clock } = server.deps;
  while (!(await Promise.race([arrived, soon()]))) if (clock.isSleptOn()) clock.advance(100);
  return next;
}

test('fifty streams of a workspace read its log once and are sent the same text', async () => {
  let logReads = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const isLog = node.kind === 'RawNode' && node.sqlFragments.join('').includes('from sync_row');
      logReads += isLog ? 1 : 0;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { deps } = server;
  let listening = 0;
  const { changes } = deps.database;
  const counted: typeof changes = {
    ...changes,
    listen: (told) => {
      listening += 1;
      return changes.listen(told);
    },
  };
  const db = deps.database.db.withPlugin(counting);
  const database = { ...deps.database, changes: counted, db };
  const fifty = { session: 50, user: 50, node: 50 };
  const options = { scopesOf: scopesOfMember(deps), stopping: new AbortController().signal };
  const hub = new StreamHub(
    { ...deps, database, projection: PROJECTION },
    { ...options, limits: fifty },
  );
  const client = clientOf(createApp(deps, { hub }), ada);
  const streams: ReadStream[] = [];
  for (let nr = 0; nr < 50; nr += 1) streams.push(await openStream(client));
  await change(ada, 1001);
  const told = await Promise.all(streams.map((stream) => stream.next()));
  expect(told[0]).toContain('"edge_media_preview_like":{"count" : 1001}');
  expect(new Set(told).size).toBe(1);
  expect([logReads, listening]).toEqual([1, 1]);
  await Promise.all(streams.map((stream) => stream.close()));
});

test('a client that reads too slowly is told where things stand, not every change', async () => {
  const { client } = ada;
  const response = await client.send(syncPath(STREAM_PATH));
  const other = await openStream(client);
  for (let nr = 1; nr <= 30; nr += 1) {
    await change(ada, 2000 + nr, 30_000);
    // The quick one reads each at once, so the hub has told each.
    await other.until(`"edge_media_preview_like":{"count" : ${2000 + nr}}`);
  }
  if (!response.body) throw new Error('No stream');
  const slow = readEvents(response.body);
  const last = await slow.until('event: head');
  const heads = await server.deps.database.db
    .selectFrom('sync_head')
    .select('v')
    .where('scope', '=', `w:${ada.workspaceId}`)
    .executeTakeFirstOrThrow();
  expect(Number(/"v":(\d+)/.exec(last)?.[1])).toBeLessThanOrEqual(heads.v);
  const behind = heads.v - Number(/"v":(\d+)/.exec(last)?.[1]);
  expect(behind * 30_000, 'bytes told after it').toBeLessThan(SYNC_LIMITS.streamQueueBytes);
  await Promise.all([slow.close(), other.close()]);
});

test('a lost hint costs three seconds: the heads are looked at all the same', async () => {
  const { deps } = server;
  const deaf = { ...deps.database, changes: { listen: () => () => undefined } };
  const stream = await openStream(clientOf(createApp({ ...deps, database: deaf }), ada));
  const before = deps.clock.now();
  await change(ada, 3001);
  await whileTimePasses(stream.until('"edge_media_preview_like":{"count" : 3001}'));
  expect(deps.clock.now() - before).toBeGreaterThanOrEqual(3000);
  await whileTimePasses(stream.until(': still here'));
  expect(deps.clock.now() - before).toBeGreaterThanOrEqual(SYNC_LIMITS.heartbeatMs);
  await stream.close();
});

test('when a node stops, its streams end, and new ones end at once', async () => {
  const stop = new AbortController();
  const client = clientOf(createApp(server.deps, { stopping: stop.signal }), ada);
  const stream = await openStream(client);
  stop.abort();
  expect(await stream.next()).toBeUndefined();
  const late = await openStream(client);
  expect(await late.next()).toBeUndefined();
});

test('a session that ends elsewhere ends its stream', async () => {
  const eve = await server.signIn('eve');
  const stream = await openStream(eve.client);
  await clientOf(server.app, eve).call(CALLS.logout, {});
  expect(await stream.until('event: reauth')).toContain('{}');
  expect(await stream.next()).toBeUndefined();
});

test('another epoch ends the streams with a resync', async () => {
  const stream = await openStream(ada.client);
  await change(ada, 4001);
  await stream.until('4001');
  await server.deps.database.db
    .updateTable('sync_epoch')
    .set({ epoch: '01890000-0000-7000-8000-00000000e90c' })
    .execute();
  await change(ada, 4002);
  expect(await stream.until('event: resync')).toContain('00000000e90c');
  expect(await stream.next()).toBeUndefined();
});

test('a change is told to whoever gains the sight of something else at that moment', async () => {
  const hidden = new Set<string>([`b:${ada.workspaceId}`]);
  const gaining: ScopesOf = async (session) =>
    (await scopesOfMember(server.deps)(session)).filter(({ scope }) => !hidden.has(scope));
  const app = createSyncApp(server.deps, { scopesOf: gaining });
  const stream = await openStream(clientOf(app, ada));
  hidden.clear();
  await change(ada, 6001);
  expect(await stream.next()).toContain(`"scope":"b:${ada.workspaceId}"`);
  // Comes next where the first one was left out.
  await change(ada, 6002);
  expect(await stream.next()).toContain('"edge_media_preview_like":{"count" : 6001}');
  await stream.close();
});

test('what a session may no longer see is dropped before it changes again, and comes back when it may', async () => {
  const hidden = new Set<string>();
  const moving: ScopesOf = async (session) =>
    (await scopesOfMember(server.deps)(session)).filter(
      ({ scope }: ScopeOwner) => !hidden.has(scope),
    );
  const stream = await openStream(clientOf(createSyncApp(server.deps, { scopesOf: moving }), ada));
  const scope = `w:${ada.workspaceId}`;
  hidden.add(scope);
  await change(ada, 5001);
  expect(await stream.next()).toBe(`event: drop\ndata: {"scope":"${scope}"}`);
  hidden.clear();
  expect(await whileTimePasses(stream.until('event: head'))).toContain(scope);
  await change(ada, 5002);
  expect(await stream.until(scope)).toContain('"edge_media_preview_like":{"count" : 5002}');
  await stream.close();
});
