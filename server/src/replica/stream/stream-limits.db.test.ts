import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { openStream } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { scopesOfMember } from '../scope-owner.ts';
import { StreamHub } from './stream-hub.service.ts';
import { STREAM_LIMITS } from './stream-limits.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

function startNode(limits = STREAM_LIMITS, database = deps.database) {
  const stopping = new AbortController();
  const hub = new StreamHub(
    { ...deps, database, projection: PROJECTION },
    { scopesOf: scopesOfMember(deps), stopping: stopping.signal, limits },
  );
  return { hub, app: createApp(deps, { hub }), stop: () => stopping.abort() };
}

type Node = ReturnType<typeof startNode>;

/** Another browser in which the same customer is signed in. */
async function anotherBrowser({ app }: Node, customer: SignedIn): Promise<ApiClient> {
  const { workspaceId, userId } = customer;
  const owner = { workspaceId, userId, keepSignedIn: true, userAgent: 'another' };
  const client = new ApiClient(app);
  client.setCookie('ovation', (await openSession(deps, deps.database.db, owner)).token);
  return client;
}

/** The statuses of so many streams asked for at once. */
async function statuses(client: ApiClient, count: number): Promise<number[]> {
  const asked = Array.from({ length: count }, () => client.send(syncPath(STREAM_PATH)));
  return (await Promise.all(asked)).map(({ status }) => status);
}

const countOf = (all: readonly number[], wanted: number): number =>
  all.filter((status) => status === wanted).length;

test('of 1,500 streams of one session 8 are served, and the others are told when to come back', async () => {
  const node = startNode();
  const ada = await signInShopper(node.app, deps, 'ada');
  const all = await statuses(ada.client, 1500);
  // Those who would have to wait in turn for too long are refused before it comes to streams.
  expect([countOf(all, 200), countOf(all, 503) + countOf(all, 429)]).toEqual([8, 1492]);
  expect(node.hub.counts.followers).toBe(8);
  const refused = await ada.client.send(syncPath(STREAM_PATH));
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(await refused.json()).toMatchObject({ code: 'overloaded' });
  const bob = await signInShopper(node.app, deps, 'bob');
  expect(await statuses(bob.client, 1)).toEqual([200]);
  node.stop();
});

test('a stream that was closed makes room for another', async () => {
  const node = startNode({ ...STREAM_LIMITS, session: 1 });
  const ada = await signInShopper(node.app, deps, 'closing');
  const first = await openStream(ada.client);
  expect(await statuses(ada.client, 1)).toEqual([503]);
  await first.close();
  expect(await statuses(ada.client, 1)).toEqual([200]);
  node.stop();
});

test('a user has 30 streams, however many sessions', async () => {
  const node = startNode();
  const ada = await signInShopper(node.app, deps, 'many.browsers');
  const all: number[] = [];
  for (let nr = 0; nr < 5; nr += 1)
    all.push(...(await statuses(await anotherBrowser(node, ada), 8)));
  expect([countOf(all, 200), countOf(all, 503)]).toEqual([30, 10]);
  node.stop();
});

test('a node has a bound over all its users', async () => {
  const node = startNode({ ...STREAM_LIMITS, node: 2 });
  const all: number[] = [];
  for (const name of ['one', 'two', 'three']) {
    all.push(...(await statuses((await signInShopper(node.app, deps, `node.${name}`)).client, 1)));
  }
  expect(all).toEqual([200, 200, 503]);
  node.stop();
});

test('a change of devices asks once for each session, however many streams it has', async () => {
  let checks = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      // Asked for by nothing but the check.
      const isCheck =
        node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('token_hash');
      checks += isCheck ? 1 : 0;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const database = { ...deps.database, db: deps.database.db.withPlugin(counting) };
  const node = startNode(STREAM_LIMITS, database);
  const ada = await signInShopper(node.app, deps, 'devices');
  const other = await anotherBrowser(node, ada);
  const streams = [];
  for (let nr = 0; nr < 16; nr += 1) {
    streams.push(await openStream(nr % 2 === 0 ? ada.client : other));
  }
  await anotherBrowser(node, ada);
  await Promise.all(streams.map((stream) => stream.until(`u:${ada.userId}`)));
  expect(checks).toBe(2);
  node.stop();
});
