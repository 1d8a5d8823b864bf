import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../sandbox.fake.ts';

let world: TestSandbox;
beforeAll(async () => {
  world = await startTestSandbox();
});
afterAll(() => world.sandbox.close());

const upload = (username: string, form: FormData): Promise<Response> =>
  fetch(`${world.sandbox.url}/control/accounts/${username}/posts`, { method: 'POST', body: form });

test('an account is made with its posts back-dated over days', async () => {
  const account = await world.control('POST', '/accounts', {
    username: 'Nina.One',
    kind: 'business',
    posts: 6,
  });
  expect(account).toEqual({ igId: expect.stringMatching(/^178414\d{11}$/), username: 'nina.one' });
  const { body } = await world.discover('nina.one', 'media{timestamp}');
  const times = (body.business_discovery?.media?.data ?? []).map((each) =>
    Date.parse(String(each['timestamp'])),
  );
  expect(times).toHaveLength(6);
  expect(Math.max(...times)).toBeLessThan(world.clock.nowMs - 4 * 3_600_000);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(24 * 3_600_000);
});

test('many accounts are made at once, by list or by count, all or none', async () => {
  const listed = await world.control<unknown[]>('POST', '/accounts', [
    { username: 'list.a', kind: 'creator' },
    { username: 'list.b', kind: 'creator' },
  ]);
  expect(listed).toHaveLength(2);
  const counted = await world.control<{ username: string }[]>('POST', '/accounts', {
    count: 200,
    prefix: 'bulk',
    posts: 2,
  });
  expect(counted.at(-1)?.username).toBe('bulk199');
  expect(
    (await world.discover('bulk77', 'media{id}')).body.business_discovery?.media?.data,
  ).toHaveLength(2);
  await expect(
    world.control('POST', '/accounts', [{ username: 'half.done' }, { username: 'list.a' }]),
  ).rejects.toThrow('409');
  expect((await world.discover('half.done', 'id')).body.error?.code).toBe(110);
});

test('what is planted is there under its own ids, once however often it is sent', async () => {
  const igId = '90000000000000001';
  const post = { igId, shortcode: 'P1', caption: 'Old', takenAtMs: 1000, likes: 7, comments: 2 };
  const planted = {
    accounts: [{ igId, username: 'planted.one', followers: 40 }],
    posts: [{ ...post, memberLikes: 60, id: '30000000000000001' }],
  };
  await world.control('POST', '/planted', planted);
  await world.control('POST', '/planted', planted);
  const { body } = await world.discover('planted.one', 'id,media{id,like_count,caption}');
  expect(body.business_discovery).toMatchObject({
    id: igId,
    media: { data: [{ id: '30000000000000001', like_count: 67, caption: 'Old' }] },
  });
});

test('an order that was completed before is in the provider’s book, once', async () => {
  const ref = '00000000-0000-4000-8000-000000000001';
  const times = { placedAtMs: 1000, finishedAtMs: 2000 };
  const order = { ref, mediaId: '30000000000000001', likes: 60, startCount: 3, ...times };
  await world.control('POST', '/provider/planted', { orders: [order] });
  await world.control('POST', '/provider/planted', { orders: [order] });
  const book = await world.control('GET', '/provider/book?mediaId=30000000000000001');
  expect(book).toMatchObject({
    orders: [{ ref, result: 'accepted', status: 'Completed', ordered: 60, delivered: 60 }],
  });
});

test('wrong input names the field, a taken or bad name its reason', async () => {
  const wrong = world.control('POST', '/accounts', { username: 'a b', kind: 'business' });
  await expect(wrong).rejects.toThrow(/400 .*username_invalid/);
  await expect(world.control('POST', '/accounts', { username: 'x', kind: 'odd' })).rejects.toThrow(
    '400',
  );
  await expect(world.control('POST', '/accounts/nobody/posts', {})).rejects.toThrow('404');
  await expect(world.control('DELETE', '/posts/17800000000000000')).rejects.toThrow('404');
  await expect(world.control('POST', '/faults', { system: 'moon', scenario: 'x' })).rejects.toThrow(
    '400',
  );
});

test('a real picture is posted, stored as JPEG without its metadata, and counted', async () => {
  await world.control('POST', '/accounts', { username: 'poster', kind: 'creator' });
  const png = await sharp({
    create: { width: 2000, height: 1000, channels: 3, background: '#246' },
  })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([new Uint8Array(png)], 'x.png', { type: 'image/png' }));
  form.set('caption', 'From a test');
  const created = (await (await upload('poster', form)).json()) as { id: string };
  expect(created).toEqual({
    id: expect.stringMatching(/^17[89]\d{14}$/),
    shortcode: expect.stringMatching(/^[\w-]{11}$/),
    permalink: expect.stringContaining('/p/'),
  });
  const { body } = await world.discover('poster', 'media{caption,media_url}');
  const [media] = body.business_discovery?.media?.data ?? [];
  expect(media).toMatchObject({ id: created.id, caption: 'From a test' });
  const stored = await sharp(
    await (await fetch(String(media?.['media_url']))).arrayBuffer(),
  ).metadata();
  expect(stored).toMatchObject({ format: 'jpeg', width: 1440, height: 720 });
  expect(stored.exif).toBeUndefined();
  expect(await world.control('GET', `/posts/${created.id}`)).toMatchObject({
    likeCount: 0,
    organicLikes: 0,
    memberLikes: 0,
    distinctMembers: 0,
    views: 0,
  });
});

test('several files make a carousel; files that are no pictures are refused', async () => {
  const jpeg = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#862' } })
    .jpeg()
    .toBuffer();
  const album = new FormData();
  for (const name of ['a', 'b', 'c']) album.append('file', new File([new Uint8Array(jpeg)], name));
  expect((await upload('poster', album)).status).toBe(200);
  const { body } = await world.discover('poster', 'media.limit(1){media_type,children}');
  const [media] = body.business_discovery?.media?.data ?? [];
  expect(media).toMatchObject({ media_type: 'CAROUSEL_ALBUM' });
  const children = media?.['children'] as { data: unknown[] } | undefined;
  expect(children?.data).toHaveLength(3);
  const text = new FormData();
  text.set('file', new File(['<svg onload=alert(1)>'], 'x.jpg', { type: 'image/jpeg' }));
  expect((await upload('poster', text)).status).toBe(415);
});

test('statistics count calls per kind', async () => {
  await world.discover('poster', 'id');
  world.clock.nowMs += 1000;
  const stats = await world.control<Record<string, { total: number; perSecond: number }>>(
    'GET',
    '/stats',
  );
  expect(stats['graph.calls']?.total).toBeGreaterThan(0);
  expect(stats['graph.calls']?.perSecond).toBeGreaterThan(0);
});
