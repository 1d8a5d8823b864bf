import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { createHttpNetwork } from './http-network.ts';
import type { SnapshotLine, SyncNetwork } from './sync-network.ts';

const PULL = { epoch: null, clientId: '0192d3c0-0000-7000-8000-000000000001', cursors: {} };
const SNAPSHOT = { scope: 'u:0192d3c0-0000-7000-8000-000000000002' } as const;
const CHUNK = `${JSON.stringify({ rows: [['post', '1', 1, {}]] })}\n`;
/** Like no other timer. */
const SILENCE_MS = 54_321;
const stops: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server that goes silent where `answer` leaves off. */
async function silentServer(
  answer: (response: ServerResponse) => void,
  silenceMs: number,
): Promise<SyncNetwork> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return createHttpNetwork({ baseUrl: `http://127.0.0.1:${port}`, fetch, silenceMs });
}

const { signal } = new AbortController();

test('a server that takes a call and never answers is not there', async () => {
  const network = await silentServer(() => undefined, 50);
  expect(await network.pull(PULL, signal)).toEqual({ kind: 'unreachable' });
  expect(await network.stream(signal)).toEqual({ kind: 'unreachable' });
  expect(await network.snapshot(SNAPSHOT, signal)).toEqual({ kind: 'unreachable' });
});

test('a server that falls silent within its answer is not there', async () => {
  const network = await silentServer((response) => void response.writeHead(200).write('{"us'), 50);
  expect(await network.pull(PULL, signal)).toEqual({ kind: 'unreachable' });
});

test('an answer that comes slowly is waited for, however long it takes in all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    init?.signal?.addEventListener('abort', () => void writer.abort());
    return new Response(readable);
  };
  const network = createHttpNetwork({ baseUrl: '', fetch, silenceMs: 1500 });
  const scope = 'u:0192d3c0-0000-7000-8000-000000000002';
  const asked = { clientId: PULL.clientId, scope, v: 1, entities: {} } as const;
  const verified = network.verify(asked, signal);
  for (const part of ['{"sta', 'tus"', ':"sa', 'me"}']) {
    await writer.write(Buffer.from(part));
    await vi.advanceTimersByTimeAsync(1000);
  }
  await writer.close();
  expect(await verified).toEqual({ kind: 'ok', value: { status: 'same' } });
});

test('an abort while the server is silent ends the call with its reason', async () => {
  const network = await silentServer(() => undefined, 60_000);
  const leaving = new AbortController();
  const pulled = network.pull(PULL, leaving.signal);
  leaving.abort(new Error('The page is left'));
  await expect(pulled).rejects.toThrow('The page is left');
});

test('a snapshot that falls silent ends with what has come, as one that was cut', async () => {
  const silence = holdTimers(SILENCE_MS);
  const network = await silentServer(
    (response) => void response.writeHead(200).write(CHUNK),
    SILENCE_MS,
  );
  const answered = await network.snapshot(SNAPSHOT, signal);
  if (answered.kind !== 'ok') throw new Error(answered.kind);
  const lines: SnapshotLine[] = [];
  for await (const some of answered.value) {
    lines.push(...some);
    // As soon as the next ones are waited for.
    setImmediate(silence.end);
  }
  expect(lines).toMatchObject([{ kind: 'chunk' }]);
});

test('what has arrived may take longer to be kept than a server may be silent', async () => {
  const silence = holdTimers(SILENCE_MS);
  const asked = Promise.withResolvers<void>();
  const network = await silentServer((response) => {
    response.writeHead(200).write(CHUNK);
    asked.promise.then(
      () => response.end(CHUNK),
      () => undefined,
    );
  }, SILENCE_MS);
  const answered = await network.snapshot(SNAPSHOT, signal);
  if (answered.kind !== 'ok') throw new Error(answered.kind);
  let chunks = 0;
  for await (const some of answered.value) {
    chunks += some.filter(({ kind }) => kind === 'chunk').length;
    // Keeping is this device's own time: whatever was set for the server is over now.
    silence.end();
    asked.resolve();
  }
  expect(chunks).toBe(2);
});

test.each([
  ['session_expired', { kind: 'log_in_again' }],
  ['no_session', { kind: 'log_in_again', isUnknown: true }],
  ['session_ended', { kind: 'log_in_again', because: 'Logged out.' }],
  ['something_else', { kind: 'log_in_again' }],
])('a 401 says why: %s', async (code, failure) => {
  const body = { status: 'error', code, message: 'Logged out.' };
  const fetch = async (): Promise<Response> => Response.json(body, { status: 401 });
  expect(await createHttpNetwork({ baseUrl: '', fetch }).pull(PULL, signal)).toEqual(failure);
});
