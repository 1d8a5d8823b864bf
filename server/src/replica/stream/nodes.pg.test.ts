import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { createApp } from '#server/main/app.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { listen } from '#server/kit/http/listen.ts';
import { freePort } from '#test/processes/free-port.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { readEvents, type ReadStream } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

interface Node {
  deps: TestDeps;
  url: string;
  stop(): Promise<void>;
}

/** An API node with connections and a clock of its own; the clock stands still. */
async function startNode(url: string): Promise<Node> {
  const database = { ...openPostgres(url, { onError: () => undefined }), url };
  const deps = await createTestDeps({ database });
  const stopping = new AbortController();
  const app = createApp(deps, { stopping: stopping.signal });
  const port = await freePort();
  const close = await listen(app, { host: '127.0.0.1', port });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await close();
    await database.close();
  };
  return { deps, url: `http://127.0.0.1:${port}`, stop };
}

let home: TestDeps;
let nodes: [Node, Node];
let ada: SignedIn;
beforeAll(async () => {
  home = await createTestDeps();
  ada = await signInShopper(createApp(home), home, 'ada');
  const url = home.database.url ?? '';
  nodes = [await startNode(url), await startNode(url)];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await home.database.close();
});

async function open(node: Node): Promise<ReadStream> {
  const cookie = `ovation=${ada.client.cookie('ovation') ?? ''}`;
  const response = await fetch(node.url + syncPath(STREAM_PATH), { headers: { cookie } });
  if (!response.body) throw new Error(`No stream: ${response.status}`);
  const stream = readEvents(response.body);
  await stream.until('event: hello');
  return stream;
}

async function change({ deps }: Pick<Node, 'deps'>, likes: number): Promise<void> {
  await deps.database.transaction((tx) =>
    tx
      .updateTable('post')
      .set({ like_count: likes })
      .where('account_id', '=', ada.accountId)
      .execute(),
  );
}

/** Waits until as many processes listen as there are nodes with streams. */
async function untilListening(count: number): Promise<void> {
  for (;;) {
    // Idle after it: Postgres has registered the listener.
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and query = 'listen ovation_sync' and state = 'idle'`.execute(
      home.database.db,
    );
    if (rows.length >= count) return;
  }
}

test('a change made through one API node reaches the streams of both', async () => {
  const streams = [await open(nodes[0]), await open(nodes[1])];
  await untilListening(2);
  // No clock moves, so it arrives by a hint alone.
  await change(nodes[0], 100);
  for (const stream of streams) {
    expect(await stream.until('event: delta')).toContain(
      '"edge_media_preview_like":{"count" : 100}',
    );
  }
  await Promise.all(streams.map((stream) => stream.close()));
});

/** Ends all listening connections, and waits until they have ended. */
async function cutListeners(): Promise<number> {
  const { db } = home.database;
  const { rows } = await sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen ovation_sync'`.execute(db);
  const pids = rows.map(({ pid }) => pid);
  for (;;) {
    const left = await sql`select from pg_stat_activity where pid = any(${pids})`.execute(db);
    if (left.rows.length === 0) return pids.length;
  }
}

test('a node whose listening connection was cut hears again by itself', async () => {
  const stream = await open(nodes[1]);
  await untilListening(2);
  await change(nodes[0], 200);
  await stream.until('"edge_media_preview_like":{"count" : 200}');
  const cut = await cutListeners();
  expect(cut, 'connections cut').toBeGreaterThanOrEqual(2);
  await untilListening(2);
  await change(nodes[0], 300);
  await stream.until('"edge_media_preview_like":{"count" : 300}');
  await stream.close();
});

test('a node that stops ends its streams whole and keeps nobody waiting', async () => {
  const node = await startNode(home.database.url ?? '');
  const stream = await open(node);
  const stopped = node.stop();
  // Cut off after the time for draining it would be an error.
  expect(await stream.next()).toBeUndefined();
  await stopped;
});
