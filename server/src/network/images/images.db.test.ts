import { ownerSession } from '#test/people/owner-session.ts';
import { Hono } from 'hono';
import sharp, { type Metadata } from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createFakeImageSource,
  type FakeImageSource,
} from '#server/adapters/images/image-source.fake.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { plantCustomer } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { upsertPosts } from '../posts/post.repository.ts';
import { type ImageTarget, signImagePath } from './image-path.ts';
import { registerImageRoutes } from '#server/routes/images.routes.ts';

const JPEG = await sharp({
  create: { width: 800, height: 1000, channels: 3, background: '#e8a13a' },
})
  .jpeg()
  .toBuffer();

let deps: TestDeps;
let source: FakeImageSource;
let app: Hono;
/** Whose session the requests carry; undefined: none. */
let workspaceId: string | undefined;
let accountId: string;

let username: string;

beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

beforeEach(async () => {
  source = createFakeImageSource();
  username = `ada.${deps.ids.uuid().slice(-12)}`;
  const { igId } = deps.network.addAccount(username, { profilePictureUrl: undefined });
  ({ workspaceId, accountId } = await plantCustomer(deps, { igId, igUsername: username }));
  app = new Hono();
  app.onError((error, c) => errorResponse(c, deps, error));
  app.use(async (c, next) => {
    const session = workspaceId && ownerSession({ sessionId: 's', userId: 'u', workspaceId });
    c.set('session', session || undefined);
    await next();
  });
  registerImageRoutes(app, { ...deps, imageSource: source });
});

const target = (id: string, kind: ImageTarget['kind'] = 'post'): ImageTarget => ({
  kind,
  workspaceId: workspaceId ?? '',
  accountId,
  id,
});
const networkCalls = (): number =>
  deps.network.calls.filter((call) => call.username === username).length;
const pathOf = (picture: ImageTarget): string =>
  `/proxy/${signImagePath(deps.settings.appSecret, picture)}`;

/** A post whose picture has the address `https://cdn.example/<name>`; signed until an hour from now. */
async function addPost(name: string, mediaType: 'IMAGE' | 'VIDEO' = 'IMAGE'): Promise<string> {
  const post = deps.network.addPost(username, {
    mediaType,
    imageUrl: mediaType === 'VIDEO' ? undefined : signed(name, deps.clock.now() + 3_600_000),
  });
  const key = { workspaceId: workspaceId ?? '', accountId };
  await deps.database.transaction((tx) =>
    upsertPosts(tx, [{ ...key, post, listPosition: 0, readAt: new Date(0), detectedAt: null }]),
  );
  return post.id;
}

const signed = (name: string, untilMs: number): string =>
  `https://cdn.example/${name}?oh=ab&oe=${Math.floor(untilMs / 1000).toString(16)}`;

function serve(url: string): void {
  source.put(url, { kind: 'image', type: 'image/jpeg', bytes: JPEG });
}

// Shows fact 7.09.
test('a picture is served as it is, for this client only, and not twice', async () => {
  const id = await addPost('1.jpg');
  serve(signed('1.jpg', deps.clock.now() + 3_600_000));
  const response = await app.request(pathOf(target(id)));
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(JPEG.length),
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
  });
  expect(Buffer.from(await response.arrayBuffer()).equals(JPEG)).toBe(true);
  const etag = response.headers.get('etag') ?? '';
  const again = await app.request(pathOf(target(id)), {
    headers: { 'if-none-match': `"x", W/${etag}` },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get('etag')).toBe(etag);
  expect(source.calls).toHaveLength(1);
});

test('a thumbnail is made once and is WebP, or JPEG for who takes no WebP', async () => {
  const id = await addPost('1.jpg');
  serve(signed('1.jpg', deps.clock.now() + 3_600_000));
  const thumbnail = async (accept: string): Promise<Metadata> => {
    const headers = { accept };
    const response = await app.request(`${pathOf(target(id))}?w=160`, { headers });
    expect(response.headers.get('vary')).toContain('Accept');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe(
      `image/${(await sharp(bytes).metadata()).format}`,
    );
    return sharp(bytes).metadata();
  };
  expect(await thumbnail('image/avif,image/webp,*/*')).toMatchObject({
    format: 'webp',
    width: 160,
  });
  expect(await thumbnail('*/*')).toMatchObject({ format: 'webp', width: 160 });
  expect(source.calls).toHaveLength(1);
  expect(await thumbnail('image/jpeg,image/png')).toMatchObject({ format: 'jpeg', width: 160 });
});

test.for(['0', '161', '100000', '-160', 'abc', '', '160.0', '1e2', '160 '])(
  'a width of %j is refused',
  async (width) => {
    const response = await app.request(
      `${pathOf(target(await addPost('1.jpg')))}?w=${encodeURIComponent(width)}`,
    );
    expect(response.status).toBe(400);
    expect(source.calls).toEqual([]);
  },
);

test('without a session, of another workspace, forged or unknown: nothing is fetched', async () => {
  const id = await addPost('1.jpg');
  const path = pathOf(target(id));
  const statusOf = async (each: string): Promise<number> => (await app.request(each)).status;
  expect(await statusOf(`${path}A`)).toBe(404);
  expect(await statusOf('/proxy/https%3A%2F%2Fcdn.example%2F1.jpg')).toBe(404);
  expect(await statusOf(pathOf(target('999')))).toBe(404);
  workspaceId = deps.ids.uuid();
  expect(await statusOf(path)).toBe(403);
  workspaceId = undefined;
  expect(await statusOf(path)).toBe(401);
  expect(source.calls).toEqual([]);
});

test('an address that has ended is read again from the network, once for the whole account', async () => {
  const first = await addPost('1.jpg');
  const second = await addPost('2.jpg');
  deps.clock.advance(7_200_000);
  for (const [id, name] of [
    [first, '1.jpg'],
    [second, '2.jpg'],
  ] as const) {
    const url = signed(name, deps.clock.now() + 3_600_000);
    deps.network.deletePost(id);
    deps.network.addPost(username, { id, imageUrl: url });
    serve(url);
  }
  const responses = await Promise.all([
    app.request(pathOf(target(first))),
    app.request(`${pathOf(target(second))}?w=320`),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(networkCalls()).toBe(1);
  expect(source.calls).toHaveLength(2);
});

test('a host that says 403 early has the address read again too', async () => {
  const id = await addPost('1.jpg');
  const url = signed('1.jpg', deps.clock.now() + 7_200_000);
  deps.network.deletePost(id);
  deps.network.addPost(username, { id, imageUrl: url });
  serve(url);
  expect((await app.request(pathOf(target(id)))).status).toBe(200);
  expect((await app.request(pathOf(target(id)))).status).toBe(200);
  expect(networkCalls()).toBe(1);
});

test('a picture the network does not give is a 503 without a picture, not to be kept', async () => {
  const id = await addPost('1.jpg');
  deps.clock.advance(7_200_000);
  deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
  for (const query of ['', '?w=160']) {
    const response = await app.request(pathOf(target(id)) + query);
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-type')).toBeNull();
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  }
  expect(networkCalls()).toBe(1);
});

test('somebody else behind the name does not lend their pictures', async () => {
  const id = await addPost('1.jpg');
  deps.clock.advance(7_200_000);
  deps.network.rename(username, `${username}.away`);
  deps.network.addAccount(username);
  deps.network.addPost(username, { id, imageUrl: 'https://cdn.example/other.jpg' });
  serve('https://cdn.example/other.jpg');
  expect((await app.request(pathOf(target(id)))).status).toBe(503);
  expect(source.calls).toEqual([]);
});

test('films and profiles without a picture show ours', async () => {
  const film = await addPost('film', 'VIDEO');
  for (const picture of [target(film), target('any', 'profile')]) {
    const response = await app.request(`${pathOf(picture)}?w=320`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    expect((await app.request(`${pathOf(picture)}?w=320`, { headers })).status).toBe(304);
  }
  expect(source.calls).toEqual([]);
});

test('bytes that are no picture after all show ours instead of breaking the page', async () => {
  const id = await addPost('1.jpg');
  source.put(signed('1.jpg', deps.clock.now() + 3_600_000), {
    kind: 'image',
    type: 'image/jpeg',
    bytes: JPEG.subarray(0, 600),
  });
  expect((await app.request(`${pathOf(target(id))}?w=160`)).status).toBe(503);
});

test('the 601st picture of a minute has to wait', async () => {
  const path = pathOf(target(await addPost('film', 'VIDEO')));
  expect((await app.request(path)).status).toBe(200);
  await deps.database.db
    .updateTable('rate_limit')
    .set({ used: 599 })
    .where('name', '=', 'image')
    .execute();
  expect((await app.request(path)).status).toBe(200);
  const refused = await app.request(path);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
