import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { notFound } from './not-found.ts';
import { securityHeaders } from './security-headers.ts';

function serve(publicUrl: string): Hono {
  const app = new Hono();
  app.notFound(notFound);
  app.onError((_error, c) => c.text('broken', 500));
  app.use(securityHeaders({ settings: { ...TEST_SETTINGS, publicUrl } }));
  app.get('/page', (c) => c.text('page'));
  app.get('/user/call', (c) => c.text('call'));
  app.get('/user/broken', () => {
    throw new Error('broken');
  });
  return app;
}

test('every answer carries the content policy, errors and unknown paths too', async () => {
  const app = serve('http://localhost:3000');
  for (const path of ['/page', '/user/call', '/user/broken', '/nothing']) {
    const { headers } = await app.request(path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
        "img-src 'self' blob: data:; worker-src 'self' blob:; object-src 'none'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(), microphone=()');
  }
});

test('answers under /user are kept by no cache', async () => {
  const app = serve('http://localhost:3000');
  expect((await app.request('/user/call')).headers.get('cache-control')).toBe('no-store');
  expect((await app.request('/user/broken')).headers.get('cache-control')).toBe('no-store');
  expect((await app.request('/user/nothing')).headers.get('cache-control')).toBe('no-store');
  expect((await app.request('/page')).headers.get('cache-control')).toBeNull();
});

test('only https promises https for the future', async () => {
  const header = 'strict-transport-security';
  expect((await serve('http://localhost:3000').request('/page')).headers.has(header)).toBe(false);
  const secure = await serve('https://ovation.example').request('/page');
  expect(secure.headers.get(header)).toBe('max-age=31536000');
});
