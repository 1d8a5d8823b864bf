import { createServer } from 'node:https';
import tls from 'node:tls';
import { expect, test } from 'vitest';
import { SYNC_PROTOCOL } from '#shared/sync/version.ts';
import { ProxyLoginNeeded } from './proxy-login.ts';
import { checkServer, parseAddress } from './server.ts';
import { listen } from '../testing/listen.ts';

test.each([
  ['ovation.example.com', 'https://ovation.example.com'],
  [' https://ovation.example.com/ ', 'https://ovation.example.com'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://ovation.example.com/dashboard?post=1#x', 'https://ovation.example.com'],
  ['ovation.example.com/login', 'https://ovation.example.com'],
  ['LOCALHOST:3000', 'http://localhost:3000'],
  ['localhost:3000/login', 'http://localhost:3000'],
  ['localhost.example.com', 'https://localhost.example.com'],
])('%s is the server %s', (typed, server) =>
  expect(parseAddress(typed)).toEqual({ kind: 'origin', server }),
);

test.each(['', '   ', 'https://', 'ftp://a.example', 'https://u:p@a.example', '::'])(
  '%j is no address',
  (typed) => expect(parseAddress(typed).kind).toBe('bad_address'),
);

test('an unencrypted address of another machine is refused', () => {
  expect(parseAddress('http://ovation.example.com').kind).toBe('insecure');
});

/** A key that protects nothing, and certificates that are wrong in one thing each; they sign themselves. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNGXmOPln0JsTsxjH
eyt1hBMQzIudfWgVj2Cv83A9rjGhRANCAAQ2Us8Pzqwo8lpDx9GY2/TqJ/KGSPux
lvFX/0FvgAbkVr1KrdOpjJyM6FJZgo2OXQNWCayv66HUmJMBp0eWleCu
-----END PRIVATE KEY-----`;

/** For the host elsewhere.example, until the year 2126. */
const FOR_ELSEWHERE = `-----BEGIN CERTIFICATE-----
MIIBpDCCAUmgAwIBAgIUBgk8xq3gIaPny0UPciX4gXwlK0swCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMT3ZhdGlvbi10ZXN0MCAXDTI2MTEyMjIyMTgyMFoYDzIxMjYx
MDI5MjIxODIwWjAXMRUwEwYDVQQDDAxPdmF0aW9uLXRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQ2Us8Pzqwo8lpDx9GY2/TqJ/KGSPuxlvFX/0FvgAbkVr1K
rdOpjJyM6FJZgo2OXQNWCayv66HUmJMBp0eWleCuo3EwbzAdBgNVHQ4EFgQUUT9m
RP7tbpPRenC+jyLlAFapb6owHwYDVR0jBBgwFoAUUT9mRP7tbpPRenC+jyLlAFap
b6owDwYDVR0TAQH/BAUwAwEB/zAcBgNVHREEFTATghFlbHNld2hlcmUuZXhhbXBs
ZTAKBggqhkjOPQQDAgNJADBGAiEAgpKxqVBCFZp7+ci+Xhrwc3E2UVZ/4M3pSb8y
0PcPhkMCIQDon2Z7JgPHHezTQnKnbtlczpAHJIJPLbqAghd1ssNAmw==
-----END CERTIFICATE-----`;

/** For localhost, on one day of the year 2020. */
const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxPdmF0aW9u
LXRlc3QwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAXMRUwEwYDVQQD
DAxPdmF0aW9uLXRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ2Us8Pzqwo
8lpDx9GY2/TqJ/KGSPuxlvFX/0FvgAbkVr1KrdOpjJyM6FJZgo2OXQNWCayv66HU
mJMBp0eWleCuo0gwRjAPBgNVHRMBAf8EBTADAQH/MBQGA1UdEQQNMAuCCWxvY2Fs
aG9zdDAdBgNVHQ4EFgQUUT9mRP7tbpPRenC+jyLlAFapb6owCgYIKoZIzj0EAwID
SQAwRgIhAMAqLjXq8hxZGQB506nGCT5wh9SIstjwf22rTbZIj87nAiEAqE0liwZs
puefD+4zPKQFfGiIf0Tcsla1lLUSNzP5Frk=
-----END CERTIFICATE-----`;

const answering = (data: unknown) => async () => Response.json({ status: 'success', data });

test('a server that speaks our protocol is chosen', async () => {
  const about = { product: 'Ovation', protocol: SYNC_PROTOCOL, oldestProtocol: SYNC_PROTOCOL };
  expect(await checkServer('ovation.example', answering(about))).toEqual({
    kind: 'chosen',
    server: 'https://ovation.example',
  });
});

test('a newer and an older server are told apart', async () => {
  const newer = { product: 'O', protocol: SYNC_PROTOCOL + 2, oldestProtocol: SYNC_PROTOCOL + 1 };
  const older = { product: 'O', protocol: SYNC_PROTOCOL - 1, oldestProtocol: SYNC_PROTOCOL - 1 };
  const outcome = async (about: unknown) => checkServer('o.example', answering(about));
  expect(await outcome(newer)).toEqual({ kind: 'other_protocol', isServerNewer: true });
  expect(await outcome(older)).toEqual({ kind: 'other_protocol', isServerNewer: false });
});

test('what is no server of ours is named so, and nothing at all is unreachable', async () => {
  const page = async () => new Response('<html>');
  const missing = async () => new Response('no', { status: 404 });
  const dead = () => Promise.reject(new TypeError('refused'));
  expect((await checkServer('o.example', page)).kind).toBe('not_ovation');
  expect((await checkServer('o.example', missing)).kind).toBe('not_ovation');
  expect((await checkServer('o.example', answering({ product: 1 }))).kind).toBe('not_ovation');
  expect((await checkServer('o.example', dead)).kind).toBe('unreachable');
});

test('a server that sends elsewhere is not followed, and is none of ours', async () => {
  const asked: unknown[] = [];
  const outcome = await checkServer('o.example', async (_url, { redirect }) => {
    asked.push(redirect);
    return new Response(null, { status: 302, headers: { location: 'https://evil.example' } });
  });
  expect(outcome).toEqual({ kind: 'not_ovation' });
  expect(asked).toEqual(['manual']);
});

test('a server that says nothing for 8 seconds is unreachable', async () => {
  const waits: number[] = [];
  const timer = new AbortController();
  const silent = async (_url: string, { signal }: RequestInit): Promise<Response> => {
    if (!signal) throw new SyntaxError('Nothing would end this request');
    const over = Promise.withResolvers<Response>();
    signal.addEventListener('abort', () => over.reject(new Error('over')));
    timer.abort();
    return over.promise;
  };
  const outcome = await checkServer('o.example', silent, (delayMs) => {
    waits.push(delayMs);
    return timer.signal;
  });
  expect(outcome).toEqual({ kind: 'unreachable' });
  expect(waits).toEqual([8000]);
});

test('an answer that has no end is not read to its end', async () => {
  let sent = 0;
  let isCanceled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(16 * 1024).fill(32));
    },
    cancel: () => void (isCanceled = true),
  });
  const outcome = await checkServer('o.example', async () => new Response(endless));
  expect(outcome).toEqual({ kind: 'not_ovation' });
  expect(isCanceled).toBe(true);
  expect(sent).toBeLessThan(10);
});

test('an answer that begins and then stops is unreachable after the same 8 seconds', async () => {
  const timer = new AbortController();
  // Silent from the first moment on that somebody reads it.
  const stopping = new ReadableStream<Uint8Array>(
    { pull: () => timer.abort() },
    { highWaterMark: 0 },
  );
  const outcome = await checkServer(
    'o.example',
    async () => new Response(stopping),
    () => timer.signal,
  );
  expect(outcome).toEqual({ kind: 'unreachable' });
});

test.each([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknown_issuer'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown_issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_issuer'],
  ['CERT_REVOKED', 'unknown_issuer'],
])('a certificate that Node refuses as %s is said to be so', async (code, reason) => {
  const cause = Object.assign(new Error('refused'), { code });
  const refuse = () => Promise.reject(new TypeError('fetch failed', { cause }));
  expect(await checkServer('o.example', refuse)).toEqual({ kind: 'bad_certificate', reason });
});

test.each([
  ['nobody of this computer trusts', FOR_ELSEWHERE, [], 'unknown_issuer'],
  ['is for another host', FOR_ELSEWHERE, [FOR_ELSEWHERE], 'other_name'],
  ['is out of date', EXPIRED, [EXPIRED], 'expired'],
])('a server whose certificate %s is said to have one', async (_what, cert, trusted, reason) => {
  const server = createServer({ key: KEY, cert });
  const address = await listen(server);
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates(trusted);
  try {
    const choice = await checkServer(`https://${address.replace('127.0.0.1', 'localhost')}`, fetch);
    expect(choice).toEqual({ kind: 'bad_certificate', reason });
  } finally {
    tls.setDefaultCACertificates(before);
    server.close();
  }
});

test('a proxy that wants a log-in is no server that is away', async () => {
  const hold = (canBeGiven: boolean) => () =>
    Promise.reject(new ProxyLoginNeeded('proxy.office:8080', canBeGiven));
  for (const canBeGiven of [true, false]) {
    const choice = await checkServer('o.example', hold(canBeGiven));
    expect(choice).toEqual({ kind: 'proxy_login', canBeGiven });
  }
});

test('a port that nobody listens on has no certificate to speak of', async () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const dead = () => Promise.reject(new TypeError('fetch failed', { cause }));
  expect(await checkServer('o.example', dead)).toEqual({ kind: 'unreachable' });
});
