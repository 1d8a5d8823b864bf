import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { PULL_PATH } from '#shared/sync/pull.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';

const ORIGIN = 'https://ovation.example';
const SYNC = [PULL_PATH, SNAPSHOT_PATH, PUSH_PATH, STREAM_PATH, VERIFY_PATH];
const API = [...Object.values(CALLS).map(({ path }) => path), ...SYNC, '/user/not/made/yet'];

type Listener = (event: object) => void;
const listeners: Array<[type: string, listener: Listener]> = [];
/** What a service worker finds around it; only what this one touches when it starts. */
const AROUND: Readonly<Record<string, unknown>> = {
  self: {
    addEventListener: (type: string, listener: Listener) => listeners.push([type, listener]),
    skipWaiting: async () => undefined,
    clients: { claim: async () => undefined },
    __WB_DISABLE_DEV_LOGS: true,
  },
  __WB_DISABLE_DEV_LOGS: true,
  location: new URL('/service-worker.js', ORIGIN),
  caches: { open: async () => ({ match: async () => undefined, keys: async () => [] }) },
  SHELL_FILES: [{ url: '/index.html', revision: '1' }],
};
const before = new Map(Object.keys(AROUND).map((name) => [name, Reflect.get(globalThis, name)]));

beforeAll(async () => {
  Object.assign(globalThis, AROUND);
  await import('./service-worker.ts');
});
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(globalThis, name);
    else Reflect.set(globalThis, name, value);
  }
});

/** Whether the worker answers a request itself, from whatever it keeps; otherwise the network does. */
function isAnswered(path: string, how: { method?: string; mode?: string }): boolean {
  const request = new Request(ORIGIN + path, { method: how.method ?? 'GET' });
  if (how.mode) Object.defineProperty(request, 'mode', { value: how.mode });
  let answers = 0;
  const respondWith = (answer: Promise<Response>): void => {
    answers += 1;
    // There is nothing to answer with here.
    answer.catch(() => undefined);
  };
  const event = { request, respondWith, waitUntil: () => undefined };
  for (const [type, listener] of listeners) if (type === 'fetch') listener(event);
  return answers > 0;
}

test('the worker answers pages of the app and pictures', () => {
  expect(isAnswered('/dashboard', { mode: 'navigate' })).toBe(true);
  expect(isAnswered('/', { mode: 'navigate' })).toBe(true);
  expect(isAnswered('/index.html', {})).toBe(true);
  expect(isAnswered('/proxy/abc?w=320', {})).toBe(true);
});

test.each([
  ['read', { method: 'GET' }],
  ['sent', { method: 'POST' }],
  ['opened as a page', { method: 'GET', mode: 'navigate' }],
] as const)('no call of the API that is %s is ever answered by the worker', (_how, how) => {
  const answered = API.flatMap((path) => [path, `${path}?protocol=1&scope=w`]).filter((path) =>
    isAnswered(path, how),
  );
  expect(answered).toEqual([]);
});

test('calls of the API pass the worker by, and nothing else does', () => {
  const passing: URLPattern[] = [];
  const event = {
    addRoutes: async ({
      condition,
      source,
    }: {
      condition: { urlPattern: URLPatternInit };
      source: string;
    }) => {
      if (source === 'network') passing.push(new URLPattern(condition.urlPattern));
    },
    // There is nothing to keep here.
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
  };
  for (const [type, listener] of listeners) if (type === 'install') listener(event);
  const passes = (path: string): boolean => passing.some((each) => each.test(ORIGIN + path));
  expect(
    API.flatMap((path) => [path, `${path}?protocol=1`]).filter((path) => !passes(path)),
  ).toEqual([]);
  expect(['/', '/dashboard', '/users', '/index.html', '/proxy/abc?w=320'].filter(passes)).toEqual(
    [],
  );
});

test('a version that gives way lets go of the pictures it fetches', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const realFetch = globalThis.fetch;
  globalThis.fetch = (_input, init) => {
    const { signal } = init ?? {};
    if (signal) asked.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('let go')));
    });
  };
  onTestFinished(() => {
    globalThis.fetch = realFetch;
  });
  const answered = Promise.withResolvers<Promise<Response>>();
  const request = new Request(`${ORIGIN}/proxy/abc?w=320`);
  const event = { request, respondWith: answered.resolve, waitUntil: () => undefined };
  for (const [type, listener] of listeners) if (type === 'fetch') listener(event);
  expect((await asked.promise).aborted).toBe(false);
  for (const [type, listener] of listeners) {
    if (type === 'message') listener({ data: { type: 'LET_GO' } });
  }
  await expect(answered.promise).rejects.toThrow('let go');
});
