import { expect, test } from 'vitest';
import { APP_ORIGIN, createAppHandler } from './app-handler.ts';
import { memoryPictures } from '#shared/pictures/memory-pictures.fake.ts';
import type { SessionJar } from './session.ts';

const SERVER = 'https://likes.example';
const FILES: Record<string, string> = {
  'index.html': '<!doctype html>',
  'assets/app-1a2b.js': 'run()',
};

interface Sent {
  url: string;
  init: RequestInit;
}

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** The handler over files and a server of the test's own, with a book of what was sent. */
function open(answer: (url: string) => Response | Promise<Response> = () => new Response('{}')) {
  const sent: Sent[] = [];
  const taken: string[][] = [];
  const jar: SessionJar = {
    open: async (server) => ({
      header: server === SERVER ? 'ovation=secret' : undefined,
      take: (cookies) => void taken.push([...cookies]),
    }),
    clear: async () => undefined,
    stored: async () => undefined,
  };
  const pictures = memoryPictures();
  const disk = { isBroken: false };
  const state: { server: string | undefined } = { server: SERVER };
  const handle = createAppHandler({
    readFile: async (path) =>
      FILES[path] === undefined
        ? undefined
        : { body: new TextEncoder().encode(FILES[path]), mediaType: 'text/plain' },
    server: () => state.server,
    jar,
    pictures: {
      open: (partition) => pictures.open(partition),
      clear: async () => {
        if (disk.isBroken) throw new Error('EBUSY');
        await pictures.clear();
      },
    },
    now: () => NOW,
    fetch: async (url, init) => {
      sent.push({ url, init });
      return answer(url);
    },
  });
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    handle(new Request(`${APP_ORIGIN}${path}`, init));
  return { handle, get, sent, taken, state, disk };
}

test('a file of the bundle is served with the content policy', async () => {
  const response = await open().get('/assets/app-1a2b.js');
  expect(await response.text()).toBe('run()');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
});

test('every address without a file is a route of the UI', async () => {
  const { get } = open();
  for (const path of ['/', '/dashboard', '/my-billing?x=1']) {
    expect(await (await get(path)).text()).toBe('<!doctype html>');
  }
});

test('a file outside the bundle is not there, however it is asked for', async () => {
  const { get } = open();
  const paths = [
    '/../package.json',
    '/assets/../../main/main.js',
    '/%2e%2e/%2e%2e/etc/passwd.txt',
    '/..%2fmain%2fmain.js',
    '/assets/other.js',
    '/C:/secret.txt',
  ];
  for (const path of paths) expect((await get(path)).status).toBe(404);
});

test('another host or scheme is refused', async () => {
  const { handle, sent } = open();
  for (const url of ['app://other/user/x', 'https://likes.example/user/x', 'http://ovation/']) {
    expect((await handle(new Request(url))).status).toBe(403);
  }
  expect(sent).toEqual([]);
});

test('only calls and pictures reach the server; everything else stays inside', async () => {
  const { get, sent } = open();
  await get('/user/about');
  await get('/proxy/abc?w=160');
  for (const path of ['/docs', '/provider/events', '/userx/y', '//user/x', '/metrics']) {
    await get(path);
  }
  expect(sent.map(({ url }) => url)).toEqual([`${SERVER}/user/about`, `${SERVER}/proxy/abc?w=160`]);
});

test('a path can not name another server', async () => {
  const { get, sent } = open();
  await get('/user/@evil.example/x');
  await get('/user//evil.example/x');
  await get('//user/x');
  expect(sent.map(({ url }) => url)).toEqual([`${SERVER}/user/@evil.example/x`]);
});

test.each([
  String.raw`/user/..\docs`,
  String.raw`/user/x\..\..\docs`,
  String.raw`/proxy\..\docs`,
  String.raw`/user/\evil.example/x`,
  '/user/%2e%2e/docs',
  '/user/.%2E/docs',
  '/user/..%5cdocs',
  '/user/..%2fdocs',
  '/user/%252e%252e/docs',
  '/user//docs',
  '/user/',
])('no way of writing %s reaches what is not carried', async (path) => {
  const { get, sent } = open();
  await get(path);
  expect(sent).toEqual([]);
});

test('the session is added here, and what the window says of cookies and origins is dropped', async () => {
  const { get, sent } = open();
  await get('/user/user/findByUserId', {
    method: 'POST',
    body: '{}',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'x-forwarded-for': '1.2.3.4',
      authorization: 'Bearer x',
    },
  });
  expect(Object.fromEntries(new Headers(sent[0]?.init.headers))).toEqual({
    'content-type': 'application/json',
    cookie: 'ovation=secret',
    'idempotency-key': 'k1',
    origin: SERVER,
  });
});

test('what comes from the server can be shown as a page by nobody', async () => {
  const script = '<script>parent.stolen = 1</script>';
  const html = { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'" };
  const { get } = open(() => new Response(script, { headers: html }));
  for (const path of ['/user/x', '/proxy/x?w=160', '/proxy/x?w=160']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('files and refusals are what they say they are: no type is guessed', async () => {
  const { get } = open();
  for (const path of ['/', '/assets/app-1a2b.js', '/assets/none.js']) {
    expect((await get(path)).headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the answer of a server that was changed meanwhile is nobody’s: no cookie of it is taken', async () => {
  const late = Promise.withResolvers<Response>();
  const { get, state, taken } = open((url) =>
    url.startsWith(SERVER)
      ? late.promise
      : new Response('{}', { headers: { 'set-cookie': 'ovation=new' } }),
  );
  const first = get('/user/user/login');
  state.server = 'https://other.example';
  await get('/user/user/login');
  late.resolve(new Response('{}', { headers: { 'set-cookie': 'ovation=old' } }));
  expect((await first).type).toBe('error');
  expect(taken).toEqual([['ovation=new']]);
});

test('a request that the window gives up is given up at the server too', async () => {
  const { get, sent } = open();
  const left = new AbortController();
  await get('/user/sync/stream', { signal: left.signal });
  expect(sent[0]?.init.signal?.aborted).toBe(false);
  left.abort();
  expect(sent[0]?.init.signal?.aborted).toBe(true);
});

test('Set-Cookie goes into the jar and never to the window', async () => {
  const { get, taken } = open(
    () => new Response('{}', { headers: { 'set-cookie': 'ovation=new; HttpOnly', etag: '"1"' } }),
  );
  const response = await get('/user/user/login');
  expect(taken).toEqual([['ovation=new; HttpOnly']]);
  expect(response.headers.get('etag')).toBe('"1"');
  expect(JSON.stringify([...response.headers])).not.toContain('ovation=');
});

test('a server that sends elsewhere is not followed', async () => {
  const { get, sent } = open(
    () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
  );
  expect((await get('/user/about')).status).toBe(502);
  expect(sent.map(({ init }) => init.redirect)).toEqual(['manual']);
});

test('a stream passes as it comes', async () => {
  let push: (text: string) => void = () => undefined;
  const { get } = open(() => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const reader = (await get('/user/sync/stream')).body?.getReader();
  push('data: 1\n\n');
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n');
});

test('a server that is gone, or not chosen yet, looks like no network', async () => {
  const { get, state } = open(() => Promise.reject(new TypeError('refused')));
  expect((await get('/user/about')).type).toBe('error');
  state.server = undefined;
  expect((await get('/user/about')).type).toBe('error');
});

test('nothing but reading is allowed on files', async () => {
  expect((await open().get('/dashboard', { method: 'POST', body: 'x' })).status).toBe(405);
});

/** A server with one picture, until it goes. */
function withPicture() {
  const server = { isThere: true, asked: 0 };
  const opened = open((url) => {
    if (!server.isThere) throw new TypeError('fetch failed');
    server.asked += 1;
    if (url.includes('/user/user/logout')) {
      return new Response('{}', { headers: { 'clear-site-data': '"cache"' } });
    }
    if (!url.includes('/proxy/')) return new Response('{}');
    const headers = { 'content-type': 'image/webp', date: new Date(NOW).toUTCString() };
    return new Response(`picture ${server.asked}`, { headers });
  });
  const look = async (): Promise<string> => (await opened.get('/proxy/a?w=320')).text();
  return { ...opened, server, look };
}

test('a picture that was shown is asked for once, and shown again when the server is away', async () => {
  const { get, look, server } = withPicture();
  expect([await look(), await look()]).toEqual(['picture 1', 'picture 1']);
  server.isThere = false;
  expect(await look()).toBe('picture 1');
  expect((await get('/proxy/b?w=320')).type).toBe('error');
});

test('a picture can be kept without being shown, and the server is told nothing of it', async () => {
  const { get, look, sent, server } = withPicture();
  const headers = { 'x-keep-picture': 'pinned' };
  expect((await get('/proxy/a?w=320', { headers })).status).toBe(204);
  expect(new Headers(sent[0]?.init.headers).has('x-keep-picture')).toBe(false);
  server.isThere = false;
  expect(await look()).toBe('picture 1');
});

test.each([
  ['a log-out', '/user/user/logout'],
  ['the next log-in', '/user/user/login'],
  ['a sign-up', '/user/user/register'],
])('%s leaves no picture behind', async (_what, path) => {
  const { get, look, server } = withPicture();
  await look();
  await get('/user/user/findByUserId');
  expect(await look()).toBe('picture 1');
  await get(path, { method: 'POST', body: '{}' });
  server.isThere = false;
  expect((await get('/proxy/a?w=320')).type).toBe('error');
});

test('a log-in counts though the disk did not let go of the pictures', async () => {
  const { get, taken, disk } = open(
    () => new Response('{}', { headers: { 'set-cookie': 'ovation=new' } }),
  );
  disk.isBroken = true;
  expect((await get('/user/user/login', { method: 'POST', body: '{}' })).status).toBe(200);
  expect(taken).toEqual([['ovation=new']]);
});
