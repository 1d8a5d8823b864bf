import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { notFound } from './error-response.ts';
import { securityHeaders } from './security-headers.ts';

function serve(publicUrl: string, cardEntry = TEST_SETTINGS.cardEntry): Hono {
  const app = new Hono();
  app.notFound(notFound);
  app.onError((_error, c) => c.text('broken', 500));
  app.use(securityHeaders({ settings: { ...TEST_SETTINGS, publicUrl, cardEntry } }));
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
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        'report-uri /content-policy/reports',
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(), microphone=()');
  }
});

const REST =
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  'report-uri /content-policy/reports';

test.each([
  {
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
    script: 'https://js.stripe.com https://*.js.stripe.com',
    connect: 'https://api.stripe.com',
    frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  },
  {
    scriptUrl: 'http://127.0.0.1:3001/stripe/v3/stripe.js',
    script: 'http://127.0.0.1:3001',
    connect: 'http://127.0.0.1:3001',
    frame: 'http://127.0.0.1:3001',
  },
])(
  'with the gateway’s fields its script at $scriptUrl, its calls and frames are let in, nothing more',
  async ({ scriptUrl, script, connect, frame }) => {
    const entry = { way: 'gateway', publishableKey: 'pk_test_1', scriptUrl } as const;
    const { headers } = await serve('https://ovation.example', entry).request('/page');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'self'; script-src 'self' ${script}; style-src 'self' 'unsafe-inline'; ` +
        "img-src 'self' blob: data:; worker-src 'self' blob:; " +
        `connect-src 'self' ${connect}; frame-src ${frame}; ${REST}`,
    );
  },
);

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
