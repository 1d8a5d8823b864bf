/// <reference types="node" />
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findConnectedAccounts } from '#shared/contract/accounts/connected-account.ts';
import { getPosts } from '#shared/contract/accounts/post.ts';
import { verifyUserAndSendEmail } from '#shared/contract/people/recovery.ts';
import { login, logout } from '#shared/contract/people/user.ts';
import { createApi, type Api } from './client.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.closeAllConnections();
});

/** A real HTTP server that gives one answer and keeps what it was sent. */
async function serverAnswering(
  status: number,
  body: string,
): Promise<{ api: Api; received: Received[]; sessionsEnded: () => number }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let ended = 0;
  const api = createApi({
    baseUrl: `http://127.0.0.1:${port}`,
    fetch,
    onSessionEnded: () => (ended += 1),
  });
  return { api, received, sessionsEnded: () => ended };
}

const done = JSON.stringify({ status: 'success', message: 'Done', data: null });
const id = '0192d3c0-0000-7000-8000-000000000001';

test('a form call travels urlencoded and leaves out what is undefined', async () => {
  const { api, received } = await serverAnswering(200, done);
  await api.call(login, { email: 'a b@example.com', password: 'p&q=1', keepSignedIn: undefined });
  expect(received[0]?.headers['content-type']).toMatch('application/x-www-form-urlencoded');
  expect(received[0]?.body).toBe('email=a+b%40example.com&password=p%26q%3D1');
});

test('a JSON call carries its idempotency key and its message comes back', async () => {
  const { api, received } = await serverAnswering(200, done);
  const answer = await api.call(logout, {}, { idempotencyKey: 'key-1' });
  expect(received[0]).toMatchObject({ method: 'POST', body: '{}' });
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'key-1',
  });
  expect(answer).toEqual({ kind: 'success', data: null, message: 'Done' });
});

test('a query call puts its input into the address and sends no body', async () => {
  const { api, received } = await serverAnswering(
    200,
    JSON.stringify({ status: 'success', data: { items: [], readAt: null } }),
  );
  const answer = await api.call(getPosts, { igId: '178', limit: 20 });
  expect(received[0]).toMatchObject({ method: 'GET', body: '' });
  expect(received[0]?.url).toBe('/user/instagram/getPostsByIgId?igId=178&limit=20');
  expect(answer).toMatchObject({ kind: 'success', data: { items: [], readAt: null } });
});

test('an error answer keeps its code, its sentence and the sentences of its fields', async () => {
  const { api, sessionsEnded } = await serverAnswering(
    409,
    JSON.stringify({
      status: 'error',
      code: 'email_taken',
      message: 'This e-mail is taken',
      fields: { email: 'Taken' },
    }),
  );
  const answer = await api.call(findConnectedAccounts, { userId: id });
  expect(answer).toEqual({
    kind: 'error',
    code: 'email_taken',
    message: 'This e-mail is taken',
    fields: { email: 'Taken' },
    httpStatus: 409,
  });
  expect(sessionsEnded()).toBe(0);
});

test('an ended session is told to whoever holds the session', async () => {
  const { api, sessionsEnded } = await serverAnswering(
    401,
    JSON.stringify({ status: 'error', code: 'no_session', message: 'Please log in' }),
  );
  await api.call(findConnectedAccounts, { userId: id });
  expect(sessionsEnded()).toBe(1);
});

test('a call that nobody asked for ends no session', async () => {
  const { api, sessionsEnded } = await serverAnswering(
    401,
    JSON.stringify({ status: 'error', code: 'no_session', message: 'Please log in' }),
  );
  const answer = await api.call(findConnectedAccounts, { userId: id }, { isUnasked: true });
  expect(answer).toMatchObject({ kind: 'error', code: 'no_session' });
  expect(sessionsEnded()).toBe(0);
});

test('a status that is neither success nor error is unknown', async () => {
  const { api } = await serverAnswering(200, JSON.stringify({ status: 'maybe', data: null }));
  expect(await api.call(logout, {})).toEqual({ kind: 'unknown_status' });
});

test.each([
  ['a page instead of JSON', '<html>Bad gateway</html>'],
  ['data of another shape', JSON.stringify({ status: 'success', data: [{ igUsername: 7 }] })],
  ['an error without a code', JSON.stringify({ status: 'error', message: 'Oh' })],
])('%s counts as no answer', async (_what, body) => {
  const { api } = await serverAnswering(200, body);
  expect(await api.call(findConnectedAccounts, { userId: id })).toEqual({ kind: 'network' });
});

test('a server that is not there counts as no answer', async () => {
  const api = createApi({ baseUrl: 'http://127.0.0.1:1', fetch });
  expect(await api.call(logout, {})).toEqual({ kind: 'network' });
});

test('an aborted call rejects with the reason of its signal', async () => {
  const { api } = await serverAnswering(200, done);
  const signal = AbortSignal.abort(new Error('left the page'));
  await expect(api.call(logout, {}, { signal })).rejects.toThrow('left the page');
});

test('what a call promises beside its data comes along, and an answer without it can’t be read', async () => {
  const withHandle = JSON.stringify({
    status: 'success',
    data: null,
    otp: 'a handle',
    codeLength: 6,
  });
  const { api } = await serverAnswering(200, withHandle);
  const email = 'ada@example.com';
  expect(await api.call(verifyUserAndSendEmail, { email })).toMatchObject({
    kind: 'success',
    extra: { otp: 'a handle', codeLength: 6 },
  });
  const lacking = await serverAnswering(200, done);
  const answer = await lacking.api.call(verifyUserAndSendEmail, { email });
  expect(answer.kind).toBe('network');
});
