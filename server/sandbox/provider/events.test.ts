import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import { ProviderEvents, SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { seededRandom } from '#test/seeded.ts';
import type { EventSender } from './events.ts';
import { createEventSender } from './events.ts';
import { checkSignature } from './signature.ts';

const SECRET = 'a secret of tests';
let nowMs = 1_800_000_000_000;
let received: ProviderProgress[][] = [];
let verdicts: string[] = [];
let status = 200;
let sender: EventSender;

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    const { method = '', url: path = '' } = request;
    const header = String(request.headers[SIGNATURE_HEADER]);
    verdicts.push(checkSignature(SECRET, nowMs, header, { method, path, body }));
    if (status === 200) received.push(v.parse(ProviderEvents, JSON.parse(body)).orders);
    response.writeHead(status).end();
  });
});

beforeEach(async () => {
  received = [];
  verdicts = [];
  status = 200;
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/shop`;
  sender = createEventSender({ url, secret: SECRET, now: () => nowMs, random: seededRandom(3) });
});

afterEach(async () => {
  await new Promise<void>((resolve) => {
    receiver.close(() => resolve());
    receiver.closeAllConnections();
  });
});

function progress(ref: string, seq: number): ProviderProgress {
  return { ref, seq, status: 'In progress', startCount: 0, delivered: seq, views: 0, remains: 9 };
}

test('events come signed, in batches of at most 100', async () => {
  sender.add(Array.from({ length: 250 }, (_, index) => progress(`order-${index}`, 1)));
  for (let flush = 0; flush < 4; flush += 1) await sender.flush();
  expect(received.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(verdicts).toEqual(['good', 'good', 'good']);
});

test('some events come twice, some after newer ones', async () => {
  for (let seq = 1; seq <= 60; seq += 1) {
    sender.add(Array.from({ length: 20 }, (_, index) => progress(`order-${index}`, seq)));
    await sender.flush();
    nowMs += 500;
  }
  const seen = new Map<string, number>();
  let stale = 0;
  for (const { ref, seq } of received.flat()) {
    if (seq <= (seen.get(ref) ?? 0)) stale += 1;
    seen.set(ref, Math.max(seq, seen.get(ref) ?? 0));
  }
  expect(stale).toBeGreaterThan(50);
  expect(stale).toBeLessThan(240);
  expect([...seen.values()]).toEqual(Array.from({ length: 20 }, () => 60));
});

test('a receiver in trouble is spared for a while and then gets the newest state', async () => {
  status = 503;
  sender.add([progress('order-1', 1)]);
  await sender.flush();
  sender.add([progress('order-1', 2)]);
  status = 200;
  await sender.flush();
  expect(received).toEqual([]);
  nowMs += 1000;
  await sender.flush();
  expect(received).toEqual([[progress('order-1', 2)]]);
});

test('a receiver that is gone blocks nothing', async () => {
  const gone = createEventSender({
    url: 'http://127.0.0.1:9',
    secret: SECRET,
    now: () => nowMs,
    random: seededRandom(3),
  });
  gone.add([progress('order-1', 1)]);
  await expect(gone.flush()).resolves.toBeUndefined();
});

test('a receiver that never answers does not hold up the end', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const stop = new AbortController();
  const calls = { now: () => nowMs, random: seededRandom(3), signal: stop.signal };
  const waiting = createEventSender({ url, secret: SECRET, ...calls });
  waiting.add([progress('order-1', 1)]);
  const asked = new Promise((resolve) => silent.once('request', resolve));
  const sending = waiting.flush();
  await asked;
  stop.abort();
  await expect(sending).resolves.toBeUndefined();
  silent.closeAllConnections();
  silent.close();
});
