import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './sandbox.fake.ts';
import { readSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
let world: TestSandbox;
beforeAll(async () => {
  world = await startTestSandbox();
});
afterAll(async () => {
  await world.sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(method: string, headers: IncomingHttpHeaders): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(`${world.sandbox.url}/control/accounts`, { method, headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}

test('a foreign Host, Origin or page is refused; this machine is not', async () => {
  const { port } = world.sandbox;
  expect(await ask('GET', { host: 'evil.example' })).toBe(403);
  expect(await ask('GET', { host: `127.0.0.1.evil.example:${port}` })).toBe(403);
  expect(await ask('GET', { host: `localhost:${port}` })).toBe(200);
  expect(await ask('DELETE', { origin: 'http://evil.example' })).toBe(403);
  expect(await ask('GET', { origin: 'null' })).toBe(403);
  expect(await ask('POST', { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await ask('GET', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  expect(await ask('GET', { origin: `http://127.0.0.1:${port}` })).toBe(200);
});

test('a body is too large by what is read of it, whatever length it declares', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const upload = request(
    `${world.sandbox.url}/control/posts`,
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    },
  );
  // Closed under the upload, once it has been answered.
  upload.on('error', () => undefined);
  const megabyte = Buffer.alloc(1 << 20, ' ');
  const state = { isAnswered: false };
  void promise.then(() => (state.isAnswered = true));
  for (let sent = 0; sent < 40 && !state.isAnswered; sent += 1) {
    await new Promise((written) => upload.write(megabyte, written));
  }
  upload.end('{}');
  expect(await promise).toBe(413);
});

test('a body without a length is read like any other', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"username":"chunked"}'));
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/json' };
  const url = `${world.sandbox.url}/control/accounts`;
  const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
  expect(answer.status).toBeLessThan(300);
});

test('accounts, posts, deletions and image addresses survive a restart', async () => {
  const statePath = join(folder, 'kept.db');
  const first = await startTestSandbox({ statePath });
  await first.control('POST', '/accounts', { username: 'keeper', kind: 'creator', posts: 3 });
  const { id } = await first.control<{ id: string }>('POST', '/accounts/keeper/posts', {
    caption: 'deleted',
  });
  await first.control('DELETE', `/posts/${id}`);
  const inner = 'id,media{id,media_url}';
  const before = (await first.discover('keeper', inner)).body.business_discovery;
  await first.sandbox.close();

  const second = await startTestSandbox({ statePath });
  const after = (await second.discover('keeper', inner)).body.business_discovery;
  expect(after?.id).toBe(before?.id);
  const idsOf = (answer: typeof before): unknown[] =>
    (answer?.media?.data ?? []).map((each) => each['id']);
  expect(idsOf(after)).toEqual(idsOf(before));
  const url = new URL(String(before?.media?.data[0]?.['media_url']));
  url.port = String(second.sandbox.port);
  expect((await fetch(url)).status).toBe(200);
  await second.sandbox.close();
});

test('a port in use, a state file in use and a damaged one each say what to do', async () => {
  const statePath = join(folder, 'damaged.db');
  writeFileSync(statePath, 'this is not a database, not at all. '.repeat(200));
  await expect(startTestSandbox({ statePath })).rejects.toThrow(
    /damaged\.db can’t be read: delete it/,
  );

  const shared = join(folder, 'shared.db');
  const holder = await startTestSandbox({ statePath: shared });
  await expect(startTestSandbox({ statePath: shared })).rejects.toThrow(/used by another sandbox/);
  await holder.sandbox.close();
});

test('a bad setting is named', () => {
  expect(() => readSettings({ SANDBOX_PORT: '99999' })).toThrow(/SANDBOX_PORT is "99999"/);
  expect(() => readSettings({ SANDBOX_DEMO: 'yes' })).toThrow(
    /SANDBOX_DEMO is "yes": set it to on or off/,
  );
  expect(() => readSettings({ SANDBOX_EVENTS_URL: 'localhost' })).toThrow(/SANDBOX_EVENTS_URL/);
  expect(readSettings({}).port).toBe(3001);
});

test('closes at once, without an error, while pictures are still being made', async () => {
  const busy = await startTestSandbox({ isDemo: true });
  const account = await busy.control<{ igId: string }>('GET', '/accounts/dunewalker');
  const { body } = await busy.discover('dunewalker', 'media.limit(4){media_url}');
  expect(body.business_discovery?.id).toBe(account.igId);
  const asked = (body.business_discovery?.media?.data ?? []).map((media) =>
    fetch(String(media['media_url'])).then(
      (answer) => answer.status,
      () => 'cut off',
    ),
  );
  await busy.sandbox.close();
  for (const outcome of await Promise.all(asked)) expect([200, 404, 'cut off']).toContain(outcome);
});
