import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { notFound } from './error-response.ts';
import { registerWebBuild } from './static-files.ts';

const SCRIPT = 'export const seats = 1;\n'.repeat(200);
let directory: string;
let app: Hono;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ovation-web-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Ovation</title>');
  await writeFile(join(directory, 'favicon.svg'), '<svg/>');
  await writeFile(join(directory, 'assets/main-abc123.js'), SCRIPT);
  await writeFile(join(directory, 'assets/font-abc123.woff2'), new Uint8Array(2000));
  app = new Hono();
  app.notFound(notFound);
  registerWebBuild(app, directory);
});
afterAll(() => rm(directory, { recursive: true }));

const HTML = { accept: 'text/html,application/xhtml+xml' };

// Shows facts 2.01, 2.02.
test('pages of the app get the index, which is checked again each time', async () => {
  for (const path of ['/', '/dashboard', '/other-account-subscription?packageValue=1']) {
    const response = await app.request(path, { headers: HTML });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<title>Ovation</title>');
  }
});

test('calls, pictures and missing files don’t get the index', async () => {
  for (const path of [
    '/user/nothing',
    '/proxy/nothing',
    '/provider/x',
    '/docs/x',
    '/assets/no.js',
  ]) {
    expect((await app.request(path, { headers: HTML })).status).toBe(404);
  }
  expect((await app.request('/dashboard', { headers: { accept: '*/*' } })).status).toBe(404);
  expect((await app.request('/dashboard', { method: 'POST', headers: HTML })).status).toBe(404);
});

test('hashed files are kept for ever, others are not', async () => {
  const hashed = await app.request('/assets/main-abc123.js');
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const icon = await app.request('/favicon.svg');
  expect(icon.headers.get('cache-control')).toBe('no-cache');
  expect(icon.headers.get('content-type')).toBe('image/svg+xml');
});

test('text is compressed as the client accepts it, fonts are not', async () => {
  const get = async (path: string, encodings: string) => {
    const response = await app.request(path, { headers: { 'accept-encoding': encodings } });
    return {
      encoding: response.headers.get('content-encoding'),
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  };
  const brotli = await get('/assets/main-abc123.js', 'gzip, deflate, br');
  expect(brotli.encoding).toBe('br');
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT);
  const gzip = await get('/assets/main-abc123.js', 'gzip;q=1.0, br;q=0');
  expect(gzip.encoding).toBe('gzip');
  expect(gunzipSync(gzip.bytes).toString()).toBe(SCRIPT);
  expect((await get('/assets/main-abc123.js', '')).encoding).toBeNull();
  expect((await get('/assets/font-abc123.woff2', 'gzip, br')).encoding).toBeNull();
});

test('an unchanged file isn’t sent again', async () => {
  const etag = (await app.request('/favicon.svg')).headers.get('etag') ?? '';
  const again = await app.request('/favicon.svg', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('no path leads out of the folder', async () => {
  await writeFile(join(directory, '..', 'ovation-outside.txt'), 'outside');
  for (const path of [
    '/../ovation-outside.txt',
    '/%2e%2e/ovation-outside.txt',
    '/..%2fovation-outside.txt',
    '/assets/..%5c..%5covation-outside.txt',
    '//etc/passwd',
  ]) {
    expect((await app.request(path)).status).toBe(404);
  }
  await rm(join(directory, '..', 'ovation-outside.txt'));
});

// Shows facts 2.01, 2.02.
test('a rendered page is served at its own address with the facts of the running product', async () => {
  const page = (path: string): string =>
    `<link rel="canonical" href="%PUBLIC_URL%${path}" /><p class="x" data-delivery-promise="">The target</p><p data-operator="">Nobody</p>`;
  await writeFile(join(directory, 'landing.html'), page('/'));
  await writeFile(join(directory, 'privacy-policy.html'), page('/privacy-policy'));
  const pages = new Hono();
  let sentence = 'Measured: 9 seconds & <less>.';
  registerWebBuild(pages, directory, {
    publicUrl: 'https://ovation.example',
    operatorSentence: 'Run by A & B.',
    deliverySentence: async () => sentence,
  });
  const get = async (path: string) => {
    const response = await pages.request(path, { headers: HTML });
    return { html: await response.text(), etag: response.headers.get('etag') };
  };
  const first = await get('/');
  expect(first.html).toBe(
    '<link rel="canonical" href="https://ovation.example/" /><p class="x" data-delivery-promise="">Measured: 9 seconds &amp; &lt;less&gt;.</p><p data-operator="">Run by A &amp; B.</p>',
  );
  expect(await get('/')).toEqual(first);
  expect((await get('/privacy-policy')).html).toContain('https://ovation.example/privacy-policy');
  expect((await get('/dashboard')).html).toContain('<title>Ovation</title>');
  sentence = 'Measured: 8 seconds.';
  const second = await get('/');
  expect(second.html).toContain('8 seconds');
  expect(second.etag).not.toBe(first.etag);
  await rm(join(directory, 'landing.html'));
  await rm(join(directory, 'privacy-policy.html'));
});

test('a folder without a build says what to do', () => {
  expect(() => registerWebBuild(new Hono(), join(directory, 'missing'))).toThrow(StartError);
});
