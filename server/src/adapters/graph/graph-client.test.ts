import { afterEach, expect, test } from 'vitest';
import {
  json,
  NONSENSE,
  openScriptedServer,
  patienceMs,
  type Script,
  type ScriptedServer,
} from '../http/scripted-server.fake.ts';
import { createGraphClient } from './graph-client.ts';
import type { ReadAccountOutcome, ReadMediaOutcome, SocialNetwork } from './social-network.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const NOW_MS = Date.parse('2026-11-21T09:00:00Z');

async function open(
  script: Script,
  path = '',
): Promise<{ server: ScriptedServer; network: SocialNetwork }> {
  const server = await openScriptedServer(script);
  const network = createGraphClient({
    graphUrl: server.url + path,
    tokens: [{ igUserId: '17841405309211844', token: 'secret-token' }],
    now: () => NOW_MS,
    timeoutMs: patienceMs(script),
  });
  closers.push(server.close, () => network.close());
  return { server, network };
}

async function readWith(
  script: Script,
  more: { after?: string } = {},
): Promise<ReadAccountOutcome> {
  const { network } = await open(script);
  const bucketId = '17841405309211844';
  return network.readAccount({ bucketId, username: 'bluebottle', limit: 12, ...more });
}

async function readMediaWith(script: Script): Promise<ReadMediaOutcome> {
  const { network } = await open(script);
  return network.readMedia({ bucketId: '17841405309211844', mediaId: '17858843269216389' });
}

const error = (code: number, more: { subcode?: number; isTransient?: boolean } = {}): object => ({
  error: {
    message: 'Sorry',
    type: 'OAuthException',
    code,
    ...(more.subcode && { error_subcode: more.subcode }),
    ...(more.isTransient && { is_transient: true }),
  },
});

const POST = {
  id: '17858843269216389',
  media_type: 'IMAGE',
  permalink: 'https://www.instagram.com/p/CSr71Gzlqo4/',
  timestamp: '2026-11-20T19:00:42+0000',
};
const page = (...rows: object[]): object => ({
  business_discovery: { id: '17841401441775531', username: 'bluebottle', media: { data: rows } },
  id: '17841405309211844',
});

test('one call asks for exactly the documented fields, with version and token', async () => {
  const { server, network } = await open(json(page()), '/graph/');
  await network.readAccount({
    bucketId: '17841405309211844',
    username: 'blue_bottle.x',
    limit: 25,
    after: 'QVFIUjRU=',
  });
  const [request] = server.requests;
  const url = new URL(request?.path ?? '', server.url);
  expect(request?.method).toBe('GET');
  expect(request?.headers.authorization).toBe('Bearer secret-token');
  expect(url.pathname).toBe('/graph/v26.0/17841405309211844');
  expect([...url.searchParams.keys()]).toEqual(['fields']);
  expect(url.searchParams.get('fields')).toBe(
    'business_discovery.username(blue_bottle.x){id,username,name,biography,profile_picture_url,followers_count,media_count,' +
      'media.after(QVFIUjRU=).limit(25){id,caption,media_type,media_product_type,media_url,permalink,timestamp,like_count,comments_count}}',
  );
});

test.for(Object.entries(NONSENSE))('%s is unreachable', async ([, script]) => {
  expect((await readWith(script)).kind).toBe('unreachable');
  expect((await readMediaWith(script)).kind).toBe('unreachable');
});

test('a server that is not there is unreachable', async () => {
  const { server, network } = await open(json({}));
  await server.close();
  const read = { bucketId: '17841405309211844', username: 'bluebottle', limit: 12 };
  expect(await network.readAccount(read)).toMatchObject({ reason: 'connection' });
});

test('an answer that never ends is given up', async () => {
  const endless: Script = (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(1 << 20, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  expect((await readWith(endless)).kind).toBe('unreachable');
});

test.for([
  ['an id as a number', page({ ...POST, id: Number('17858843269216389') })],
  ['a post without a time', page({ ...POST, timestamp: 'yesterday' })],
  ['a list that is none', { business_discovery: { id: '1', username: 'b', media: { data: {} } } }],
  ['an account without an id', { business_discovery: { username: 'b' } }],
] as const)('%s is unreachable, never a wrong post', async ([, body]) => {
  expect(await readWith(json(body))).toMatchObject({
    kind: 'unreachable',
    reason: 'unexpected_answer',
  });
});

test('odd values in a post are left out, the post stays', async () => {
  const rows = [
    { ...POST, like_count: '87', caption: 5, media_url: null, permalink: 7, comments_count: -1 },
    { ...POST, id: '2', media_type: 'HOLOGRAM' },
    { ...POST, id: '3', permalink: 'https://www.instagram.com/reel/DAbc_-123/', new_key: [1] },
  ];
  const outcome = await readWith(json(page(...rows)));
  if (outcome.kind !== 'read') throw new Error(outcome.kind);
  const takenAtMs = Date.parse('2026-11-20T19:00:42Z');
  expect(outcome.posts).toMatchObject([
    { id: POST.id, caption: '', likeCount: null, commentCount: 0, imageUrl: undefined, takenAtMs },
    { id: '3', shortcode: 'DAbc_-123' },
  ]);
});

test('a link that is neither https nor on this machine is left out, the post stays', async () => {
  const links = [
    'https://www.instagram.com/p/Cabc/',
    'http://127.0.0.1:3001/p/Cabc/',
    'http://[::1]:3001/p/Cabc/',
    'javascript:alert(1)//https://www.instagram.com/p/Cabc/',
    'http://www.instagram.com/p/Cabc/',
    'data:text/html,/p/Cabc/',
    '/p/Cabc/',
  ];
  const rows = links.map((permalink, nr) => ({ ...POST, id: String(nr), permalink }));
  const outcome = await readWith(json(page(...rows)));
  if (outcome.kind !== 'read') throw new Error(outcome.kind);
  const kept = outcome.posts.map(({ permalink }) => permalink);
  expect(kept).toEqual([...links.slice(0, 3), '', '', '', '']);
});

test.for([
  [110, { subcode: 2_207_013 }, { kind: 'unreadable' }],
  [24, { subcode: 2_207_013 }, { kind: 'unreadable' }],
  ...[458, 459, 460, 463, 464, 467, 492].map(
    (subcode) => [190, { subcode }, { kind: 'refused', cause: 'token' }] as const,
  ),
  [10, {}, { kind: 'refused', cause: 'permission' }],
  [200, {}, { kind: 'refused', cause: 'permission' }],
  [299, {}, { kind: 'refused', cause: 'permission' }],
  [100, {}, { kind: 'refused', cause: 'request' }],
  [100, { subcode: 33 }, { kind: 'refused', cause: 'request' }],
  [4, {}, { kind: 'throttled' }],
  [17, {}, { kind: 'throttled' }],
  [32, {}, { kind: 'throttled' }],
  [613, {}, { kind: 'throttled' }],
  [80_001, {}, { kind: 'throttled' }],
  [80_002, {}, { kind: 'throttled' }],
  [4, { isTransient: true }, { kind: 'throttled' }],
  [1, {}, { kind: 'unreachable' }],
  [2, {}, { kind: 'unreachable' }],
  [341, {}, { kind: 'unreachable' }],
  [110, { isTransient: true }, { kind: 'unreachable' }],
  [368, {}, { kind: 'refused', cause: 'blocked' }],
  [368, { isTransient: true }, { kind: 'refused', cause: 'blocked' }],
  [9999, {}, { kind: 'refused', cause: 'request', code: 9999 }],
] as const)('error %i %j is %j', async ([code, more, expected]) => {
  expect(await readWith(json(error(code, more), 400))).toMatchObject(expected);
});

test('an error with status 200 is an error all the same', async () => {
  expect((await readWith(json(error(110)))).kind).toBe('unreadable');
});

test('a refused cursor is told apart from a refused request', async () => {
  expect((await readWith(json(error(100), 400), { after: 'QVFI' })).kind).toBe('cursor_invalid');
});

test('a failing server never makes an account look gone', async () => {
  expect((await readWith(json(error(110), 500))).kind).toBe('unreachable');
  expect((await readWith(json(error(110), 429))).kind).toBe('throttled');
});

test('a post is gone only when the network says that the object is', async () => {
  expect((await readMediaWith(json(error(100, { subcode: 33 }), 400))).kind).toBe('gone');
  expect((await readMediaWith(json(error(100), 400))).kind).toBe('refused');
  expect((await readMediaWith(json(error(4), 403))).kind).toBe('throttled');
  expect((await readMediaWith(json({ id: POST.id }))).kind).toBe('exists');
});

test.for([
  ['30', 30_000],
  ['Sat, 21 Nov 2026 09:02:00 GMT', 120_000],
  ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
  ['soon', undefined],
] as const)('Retry-After "%s" asks to wait %s ms', async ([header, retryAfterMs]) => {
  const outcome = await readWith(json({}, 429, { 'retry-after': header }));
  expect(outcome).toMatchObject({ kind: 'throttled', retryAfterMs });
});

test('the worst of both usage headers counts', async () => {
  const headers = {
    'x-app-usage': '{"call_count":28,"total_time":77,"total_cputime":25}',
    'x-business-use-case-usage':
      '{"1784":[{"type":"instagram","call_count":70,"total_cputime":15,"total_time":12,"estimated_time_to_regain_access":0},' +
      '{"type":"pages","call_count":1,"estimated_time_to_regain_access":19}]}',
  };
  const outcome = await readWith(json(page(POST), 200, headers));
  expect(outcome.usage).toEqual({ percent: 77, regainAfterMs: 19 * 60_000 });
});

test.for([
  '{call_count:28',
  'null',
  '[]',
  '5',
  '"x"',
  '{}',
  '{"call_count":"28"}',
  '{"a":null}',
  '{"a":[null,5,[]]}',
  '',
])('the malformed usage header %s counts as absent', async (header) => {
  const headers = { 'x-app-usage': header, 'x-business-use-case-usage': header };
  const outcome = await readWith(json(page(POST), 200, headers));
  expect(outcome).toMatchObject({ kind: 'read', usage: undefined });
});

test('an unknown bucket is refused without a call', async () => {
  const { server, network } = await open(json(page()));
  const outcome = await network.readAccount({ bucketId: '1', username: 'a', limit: 12 });
  expect(outcome).toMatchObject({ kind: 'refused', cause: 'token' });
  expect(server.connectionCount()).toBe(0);
});
