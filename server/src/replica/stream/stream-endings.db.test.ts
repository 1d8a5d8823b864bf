import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createApp } from '#server/main/app.ts';
import { listen } from '#server/kit/http/listen.ts';
import { freePort } from '#test/processes/free-port.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { openStream } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import { scopesOfMember } from '../scope-owner.ts';
import { StreamHub } from './stream-hub.service.ts';
import { UNREAD_MS } from './stream-limits.ts';

let deps: TestDeps;
let hub: StreamHub;
let app: ReturnType<typeof createApp>;
let port: number;
let closeServer: () => Promise<void>;
beforeAll(async () => {
  deps = await createTestDeps();
  hub = new StreamHub(
    { ...deps, projection: PROJECTION },
    { scopesOf: scopesOfMember(deps), stopping: new AbortController().signal },
  );
  app = createApp(deps, { hub });
  port = await freePort();
  closeServer = await listen(app, { host: '127.0.0.1', port });
});
afterAll(async () => {
  await closeServer();
  await deps.database.close();
});

const NOBODY = { followers: 0, feeds: 0 };

/** Lets rounds of the hub pass until nobody is left. */
async function untilNobody(): Promise<void> {
  await expect
    .poll(() => {
      deps.clock.advance(3000);
      return hub.counts;
    })
    .toEqual(NOBODY);
}

function headersOf(customer: SignedIn): string {
  return `host: localhost\r\ncookie: ovation=${customer.client.cookie('ovation') ?? ''}\r\n`;
}

/** A stream over a socket of its own, once its `hello` has come. */
async function openSocket(customer: SignedIn, toPort: number): Promise<ReturnType<typeof connect>> {
  const socket = connect(toPort, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${syncPath(STREAM_PATH)} HTTP/1.1\r\n${headersOf(customer)}\r\n`);
  for (let text = ''; !text.includes('event: hello');) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
  }
  return socket;
}

test('HEAD opens no stream: it is refused, and names what works', async () => {
  const { client } = await signInShopper(app, deps, 'head');
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.send(syncPath(STREAM_PATH), { method: 'HEAD' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([405]));
  expect(answers[0]?.headers.get('allow')).toBe('GET');
  expect(hub.counts).toEqual(NOBODY);
});

test('HEAD runs no other handler behind the session either', async () => {
  const { client } = await signInShopper(app, deps, 'head.too');
  const allowed = async (path: string): Promise<string | null> => {
    const answer = await client.send(path, { method: 'HEAD' });
    expect(answer.status).toBe(405);
    return answer.headers.get('allow');
  };
  expect(await allowed('/user/creditsTransaction/ledger.csv')).toBe('GET');
  expect(await allowed('/proxy/some-picture')).toBe('GET');
  expect(await allowed(CALLS.about.path)).toBe('GET');
  expect(await allowed(CALLS.findUser.path)).toBe('POST');
});

test('a stream whose reader goes away is let go of at once', async () => {
  const stream = await openStream((await signInShopper(app, deps, 'reader')).client);
  expect(hub.counts).toEqual({ followers: 1, feeds: 3 });
  await stream.close();
  expect(hub.counts).toEqual(NOBODY);
});

test('a closed socket is let go of', async () => {
  const socket = await openSocket(await signInShopper(app, deps, 'socket'), port);
  expect(hub.counts.followers).toBe(1);
  socket.destroy();
  await expect.poll(() => hub.counts).toEqual(NOBODY);
});

test('what a killed proxy held is let go of', async () => {
  const code = `require('node:net').createServer((near) => {
    const far = require('node:net').connect(${port}, '127.0.0.1');
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const proxy = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(proxy.stdout, 'data')) as [Buffer];
  const socket = await openSocket(await signInShopper(app, deps, 'proxy'), Number(line));
  expect(hub.counts.followers).toBe(1);
  proxy.kill('SIGKILL');
  await expect.poll(() => hub.counts).toEqual(NOBODY);
  socket.destroy();
});

test('a body that nobody reads is let go of after two heartbeats', async () => {
  const { client } = await signInShopper(app, deps, 'unread');
  const openedAt = deps.clock.now();
  const response = await client.send(syncPath(STREAM_PATH));
  expect(hub.counts.followers).toBe(1);
  await untilNobody();
  expect(deps.clock.now() - openedAt).toBeGreaterThanOrEqual(UNREAD_MS);
  expect(await response.text()).toBe('');
});

test('a connection that takes nothing more is closed, not only forgotten', async () => {
  const ada = await signInShopper(app, deps, 'stalled');
  const socket = await openSocket(ada, port);
  socket.pause();
  const quick = await openStream(ada.client);
  // Once the buffers of both ends are full, nothing is read any more.
  for (let likes = 1; hub.counts.followers === 2; likes += 1) {
    await deps.database.db
      .updateTable('post')
      .set({ like_count: likes, caption: 'x'.repeat(60_000) })
      .where('workspace_id', '=', ada.workspaceId)
      .execute();
    await quick.until(`"edge_media_preview_like":{"count" : ${likes}}`);
    deps.clock.advance(3000);
  }
  await quick.close();
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  expect(hub.counts).toEqual(NOBODY);
});

test('log-out ends a stream and leaves nobody, read or not', async () => {
  const eve = await signInShopper(app, deps, 'eve');
  const stream = await openStream(eve.client);
  await eve.client.send(syncPath(STREAM_PATH));
  expect(hub.counts).toEqual({ followers: 2, feeds: 3 });
  await eve.client.call(CALLS.logout, {});
  expect(await stream.until('event: reauth')).toContain('{}');
  expect(await stream.next()).toBeUndefined();
  expect(hub.counts).toEqual({ followers: 1, feeds: 0 });
  await untilNobody();
});

test('a session that runs out is let go of with its next heartbeat', async () => {
  const stream = await openStream((await signInShopper(app, deps, 'old')).client);
  deps.clock.advance(13 * 3_600_000);
  expect(await stream.until('event: reauth')).toContain('{}');
  await untilNobody();
});

test('a stream that could not be opened leaves nobody', async () => {
  const { workspaceId, userId } = await signInShopper(app, deps, 'broken');
  const broken = new StreamHub(
    { ...deps, projection: PROJECTION },
    {
      scopesOf: () => Promise.reject(new Error('no scopes')),
      stopping: new AbortController().signal,
    },
  );
  const session = ownerSession({ workspaceId, userId, sessionId: userId });
  const opening = broken.open({ session, schema: 1, hangUp: () => undefined });
  await expect(opening).rejects.toThrow('no scopes');
  expect(broken.counts).toEqual(NOBODY);
});
