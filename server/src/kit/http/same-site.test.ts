import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { errorResponse } from './error-response.ts';
import { sameSite } from './same-site.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function statusOf(
  publicUrl: string,
  headers: Record<string, string>,
  { method = 'POST', path = '/user/user/login' } = {},
): Promise<number> {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, { log: silent }, error));
  app.use(sameSite({ settings: { ...TEST_SETTINGS, publicUrl } }));
  app.all('*', (c) => c.text('reached'));
  return (await app.request(path, { method, headers })).status;
}

const SITE = 'https://ovation.example';
const LOCAL = 'http://localhost:3000';

test.each([
  ['no browser headers', SITE, {}, 200],
  ['its own origin', SITE, { origin: SITE, 'sec-fetch-site': 'same-origin' }, 200],
  ['its own origin alone', SITE, { origin: SITE }, 200],
  ['same-origin alone', SITE, { 'sec-fetch-site': 'same-origin' }, 200],
  ['another origin', SITE, { origin: 'https://evil.example' }, 403],
  ['another scheme', SITE, { origin: 'http://ovation.example' }, 403],
  ['another port', SITE, { origin: 'https://ovation.example:444' }, 403],
  ['a subdomain', SITE, { origin: 'https://a.ovation.example' }, 403],
  ['an opaque origin', SITE, { origin: 'null' }, 403],
  ['an empty origin', SITE, { origin: '' }, 403],
  ['a lookalike', SITE, { origin: 'https://ovation.example.evil.example' }, 403],
  ['its own origin from another site', SITE, { origin: SITE, 'sec-fetch-site': 'cross-site' }, 403],
  ['same-site', SITE, { 'sec-fetch-site': 'same-site' }, 403],
  ['typed by hand', SITE, { 'sec-fetch-site': 'none' }, 403],
  ['a loopback page of a public site', SITE, { origin: 'https://localhost' }, 403],
  ['localhost', LOCAL, { origin: 'http://localhost:3000' }, 200],
  ['the loopback alias', LOCAL, { origin: 'http://127.0.0.1:3000' }, 200],
  ['another loopback port', LOCAL, { origin: 'http://127.0.0.1:3001' }, 403],
  ['another loopback scheme', LOCAL, { origin: 'https://127.0.0.1:3000' }, 403],
] as Array<[string, string, Record<string, string>, number]>)(
  'an unsafe request with %s',
  async (_name, publicUrl, headers, status) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await statusOf(publicUrl, headers, { method })).toBe(status);
    }
  },
);

test('a safe request may come from anywhere', async () => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect(await statusOf(SITE, headers, { method: 'GET' })).toBe(200);
});

test('events of the provider are judged by their signature alone', async () => {
  const headers = { origin: 'https://provider.example' };
  expect(await statusOf(SITE, headers, { path: '/provider/events' })).toBe(200);
  expect(await statusOf(SITE, headers, { path: '/provider/events/x' })).toBe(403);
  expect(await statusOf(SITE, headers, { path: '/user/provider/events' })).toBe(403);
});
