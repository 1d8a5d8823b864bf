import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CardEntry } from '#shared/contract/about.ts';
import { PAYING_PAGES } from '#shared/domain/page-paths.ts';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { securityHeaders } from './security-headers.ts';
import { registerWebBuild } from './static-files.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-pages-'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>x</title>');
});
afterAll(() => rmSync(directory, { recursive: true }));

async function headersOf(path: string, cardEntry: CardEntry): Promise<Record<string, string>> {
  const app = new Hono();
  const publicUrl = 'https://ovation.example';
  app.use(securityHeaders({ settings: { ...TEST_SETTINGS, publicUrl, cardEntry } }));
  registerWebBuild(app, directory);
  const { status, headers } = await app.request(path, { headers: { accept: 'text/html' } });
  expect(status).toBe(200);
  const { etag: _ofContent, ...others } = Object.fromEntries(headers);
  return others;
}

/** All that a paying page is sent with. What changes here changes what browsers let in: think, then renew it. */
const frozen = (path: string, script: string, gateway: string) => ({
  'cache-control': 'no-cache',
  'content-security-policy':
    `default-src 'self'; script-src 'self'${script}; style-src 'self' 'unsafe-inline'; ` +
    `img-src 'self' blob: data:; worker-src 'self' blob:; ${gateway}object-src 'none'; ` +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    'report-uri /content-policy/reports',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()',
  // The address that banks lead back to has a secret.
  'referrer-policy': path === '/payment-return' ? 'strict-origin' : 'same-origin',
  'strict-transport-security': 'max-age=31536000',
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
});

test.each(PAYING_PAGES)('%s is sent with these headers, and no others', async (path) => {
  expect(await headersOf(path, { way: 'form' })).toEqual(frozen(path, '', ''));
  const gateway = {
    way: 'gateway',
    publishableKey: 'pk_live_1',
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
  } as const;
  expect(await headersOf(path, gateway)).toEqual(
    frozen(
      path,
      ' https://js.stripe.com https://*.js.stripe.com',
      "connect-src 'self' https://api.stripe.com; " +
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; ',
    ),
  );
});
