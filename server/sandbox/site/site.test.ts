import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../sandbox.fake.ts';

let world: TestSandbox;
beforeAll(async () => {
  world = await startTestSandbox();
  await world.control('POST', '/accounts', { username: 'visitor', kind: 'creator' });
});
afterAll(() => world.sandbox.close());

const open = (path: string): Promise<Response> => fetch(`${world.sandbox.url}${path}`);
const submit = (path: string, body: FormData | URLSearchParams): Promise<Response> =>
  fetch(`${world.sandbox.url}${path}`, { method: 'POST', body, redirect: 'manual' });

function form(bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const data = new FormData();
  data.set('file', new File([new Uint8Array(bytes)], 'x'));
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test('every page answers, is labelled as a demo, and asks nothing of third parties', async () => {
  for (const path of ['/', '/new', '/u/visitor', '/u/northbound.film']) {
    const answer = await open(path);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('Demo network');
    expect(text).not.toMatch(/(?:src|href)="https?:/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
  }
  expect((await open('/u/nobody.here')).status).toBe(404);
  expect((await open('/p/AAAAAAAAAAA/')).status).toBe(404);
  for (const path of ['/site/site.css', '/site/site.js', '/site/font.woff2', '/site/mark.svg']) {
    expect((await open(path)).status).toBe(200);
  }
});

test('a person shares a picture; it shows on the page and through the API, caption escaped', async () => {
  const jpeg = await sharp({ create: { width: 80, height: 100, channels: 3, background: '#4a8' } })
    .jpeg()
    .toBuffer();
  const answer = await submit(
    '/u/visitor/posts',
    form(jpeg, { caption: '<b>hi</b>', hideLikes: 'on' }),
  );
  expect(answer.status).toBe(303);
  const page = await (await open(answer.headers.get('location') ?? '')).text();
  expect(page).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect(page).not.toContain('<b>hi</b>');
  const { body } = await world.discover('visitor', 'media{caption,like_count}');
  const [media] = body.business_discovery?.media?.data ?? [];
  expect(media).toEqual({ id: expect.any(String), caption: '<b>hi</b>' });
  const picture = await open(`/pic/m/${String(media?.['id'])}?w=320`);
  expect(picture.headers.get('content-type')).toBe('image/jpeg');
});

test('a person shares a video; it plays in parts', async () => {
  const webm = readFileSync(new URL('../pictures/film.webm', import.meta.url));
  const answer = await submit('/u/visitor/posts', form(webm, { caption: 'moving' }));
  expect(answer.headers.get('location')).toMatch(/^\/reel\//);
  const { body } = await world.discover('visitor', 'media.limit(1){media_type,media_url}');
  const [media] = body.business_discovery?.media?.data ?? [];
  expect(media).toMatchObject({ media_type: 'VIDEO' });
  const part = await fetch(String(media?.['media_url']), { headers: { range: 'bytes=0-3' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 0-3/${webm.length}`);
  expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
});

test('wrong, damaged, missing and too large files are refused on the page, nothing is posted', async () => {
  const before = (await world.discover('visitor', 'media_count')).body;
  const damaged = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.from('no picture at all'),
  ]);
  const cases = [
    [form(Buffer.from('GIF89a...')), 415, 'JPEG, PNG or WebP'],
    [form(damaged), 415, 'couldn’t be read'],
    [form(new Uint8Array(0)), 400, 'Choose a picture or a video'],
  ] as const;
  for (const [data, status, words] of cases) {
    const answer = await submit('/u/visitor/posts', data);
    expect(answer.status).toBe(status);
    const page = await answer.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain(words);
  }
  const large = await submit('/u/visitor/posts', form(new Uint8Array(33 * 1024 * 1024)));
  expect(large.status).toBe(413);
  expect((await world.discover('visitor', 'media_count')).body).toEqual(before);
});

test('accounts are created, renamed and posts deleted by forms', async () => {
  const made = await submit('/new', new URLSearchParams({ username: 'By.Form', kind: 'personal' }));
  expect(made.headers.get('location')).toBe('/u/by.form');
  const again = await submit('/new', new URLSearchParams({ username: 'by.form', kind: 'creator' }));
  expect(again.status).toBe(409);
  const change = new URLSearchParams({ username: 'by.form.two', kind: 'business' });
  expect((await submit('/u/by.form/rename', change)).status).toBe(303);
  expect((await world.discover('by.form.two', 'id')).status).toBe(200);
  const { id, permalink } = await world.control<{ id: string; permalink: string }>(
    'POST',
    '/accounts/by.form.two/posts',
    {},
  );
  expect((await submit(`/posts/${id}/delete`, new URLSearchParams())).status).toBe(303);
  expect((await fetch(permalink)).status).toBe(404);
});

test('the figures the page asks for follow the posts', async () => {
  const { id } = await world.control<{ id: string }>('POST', '/accounts/visitor/posts', {});
  await world.control('PATCH', `/posts/${id}`, { organicLikes: 12 });
  const live = (await (await open(`/live/counts?ids=${id}`)).json()) as { newest: string };
  expect(live).toEqual({ posts: { [id]: { likes: 12, fromMembers: 0, views: null } }, newest: id });
  expect(await (await open(`/live/likers/${id}`)).json()).toEqual([]);
});
