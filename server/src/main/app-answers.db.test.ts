import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';
import { registerWebBuild } from '#server/kit/http/static-files.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
});
afterAll(() => deps.database.close());

const calls: Array<[string, Call]> = Object.entries(CALLS);

test('a page of another site can use no call, whoever is signed in', async () => {
  const posts = calls.filter(([, call]) => call.method === 'POST');
  for (const [, call] of posts) {
    const answer = await ada.client.call(call, {}, { origin: 'https://evil.example' });
    expect(answer.httpStatus).toBe(403);
    expect(answer.body).toMatchObject({ status: 'error', code: 'foreign_origin' });
  }
});

test('every call refuses the other encoding', async () => {
  for (const [, call] of calls.filter(([, { method }]) => method === 'POST')) {
    const type =
      call.encoding === 'form' ? 'application/json' : 'application/x-www-form-urlencoded';
    const answer = await ada.client.call(call, {}, { 'content-type': type });
    expect(answer.httpStatus).toBe(415);
  }
});

test('unknown paths answer in the same shape', async () => {
  for (const path of ['/user', '/user/nothing', '/user/user/login/x', '/proxy', '/nothing']) {
    const response = await app.request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      status: 'error',
      code: 'not_found',
      message: 'There’s nothing at this address.',
    });
  }
});

test('answers name the request and are kept by no cache', async () => {
  const { headers } = await ada.client.call(CALLS.logout, {});
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('every page, script and error carries the content policy, the web build’s too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-pages-'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>x</title>');
  const pages = createApp(deps);
  registerWebBuild(pages, directory);
  await rm(directory, { recursive: true });
  const html = { accept: 'text/html' };
  const found: string[] = [];
  const paths = ['/', '/login', '/index.html', '/docs', '/docs/api-page.css', '/user/x', '/%ff'];
  for (const path of paths) {
    const { status, headers } = await pages.request(path, { headers: html });
    found.push(`${status} ${(headers.get('content-type') ?? '').split(';')[0]}`);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'self'; script-src 'self';/,
    );
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const page = '200 text/html';
  const refused = '404 application/json';
  expect(found).toEqual([page, page, page, page, '200 text/css', refused, page]);
});

test('the pages hold no script of their own, so that the policy need not allow any', async () => {
  const docs = await (await app.request('/docs')).text();
  const index = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  for (const page of [docs, index]) {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/\son\w+=["']|javascript:/i);
    expect(page).not.toMatch(/(src|href)=["']https?:/);
  }
});

test('when the database fails the customer reads a calm sentence', async () => {
  const broken = await createTestDeps();
  const client = new ApiClient(createApp(broken));
  await sql`drop table rate_limit`.execute(broken.database.db);
  const answer = await client.call(CALLS.login, {
    email: 'a@example.test',
    password: 'secret-word',
  });
  expect(answer.httpStatus).toBe(500);
  expect(answer.body).toEqual({
    status: 'error',
    code: 'internal',
    message: 'Something went wrong on our side. Please try again in a moment.',
  });
  expect(broken.logged).toMatchObject([
    { event: 'request_failed', fields: { path: '/user/user/login' } },
  ]);
  expect(broken.logged[0]?.fields.requestId).toBe(answer.headers.get('x-request-id'));
  expect(JSON.stringify(broken.logged)).not.toContain('secret-word');
  await broken.database.close();
});
