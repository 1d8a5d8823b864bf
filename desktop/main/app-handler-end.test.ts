import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { memoryPictures } from '#shared/pictures/memory-pictures.fake.ts';
import { APP_ORIGIN, createAppHandler } from './app-handler.ts';
import type { SessionJar } from './session.ts';
import { listen } from '../testing/listen.ts';

type Answer = (url: string, init: RequestInit) => Promise<Response>;

/** The handler before a server; a test plays the clock by calling what waits in `timers`. */
function open(
  server: string,
  answer: Answer,
  more: { openJar?: SessionJar['open']; awake?: () => AbortSignal } = {},
) {
  const openJar = more.openJar ?? (async () => ({ header: undefined, take: () => undefined }));
  const timers = new Set<() => void>();
  const sent: RequestInit[] = [];
  const handle = createAppHandler({
    readFile: async () => undefined,
    server: () => server,
    jar: {
      open: openJar,
      clear: async () => undefined,
      stored: async () => undefined,
    },
    pictures: memoryPictures(),
    now: () => 0,
    fetch: (url, init) => {
      sent.push(init);
      return answer(url, init);
    },
    ...(more.awake && { awake: more.awake }),
    later: (_delayMs, act) => {
      timers.add(act);
      return () => void timers.delete(act);
    },
  });
  const get = (path: string): Promise<Response> => handle(new Request(`${APP_ORIGIN}${path}`));
  return { get, timers, sent };
}

test('a window that leaves a stream ends it at the server, though its request never says so', async () => {
  const left = Promise.withResolvers<'left'>();
  const server = createServer((_request, response) => {
    response.on('close', () => left.resolve('left'));
    response.write('data: 1\n\n');
  });
  const address = await listen(server);
  const { get } = open(`http://${address}`, fetch);
  const reader = (await get('/user/sync/stream')).body?.getReader();
  await reader?.read();
  // What Electron does when its page has left.
  await reader?.cancel();
  expect(await left.promise).toBe('left');
  server.close();
});

test('a call that is never answered ends by itself; one whose answer has begun takes any time', async () => {
  const { get, timers, sent } = open('https://likes.example', (url, { signal }) =>
    url.endsWith('/silent')
      ? new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new TypeError('gone')));
        })
      : Promise.resolve(new Response('{}')),
  );
  await get('/user/sync/stream');
  expect([timers.size, sent[0]?.signal?.aborted]).toEqual([0, false]);
  const silent = get('/user/silent');
  await expect.poll(() => timers.size).toBe(1);
  for (const act of timers) act();
  expect((await silent).type).toBe('error');
  expect(timers.size).toBe(0);
});

test('while the keyring waits for a password that nobody gives, calls end as without network', async () => {
  const locked = (): Promise<never> => new Promise(() => undefined);
  const { get, timers, sent } = open('https://likes.example', async () => new Response(), {
    openJar: locked,
  });
  const call = get('/user/sync/pull');
  await expect.poll(() => timers.size).toBe(1);
  for (const act of timers) act();
  expect((await call).type).toBe('error');
  expect(sent).toEqual([]);
});

test('what is open at the server when the computer wakes up breaks off, and can be asked anew', async () => {
  const server = createServer((_request, response) => void response.write('data: 1\n\n'));
  const address = await listen(server);
  let awake = new AbortController();
  const { get } = open(`http://${address}`, fetch, { awake: () => awake.signal });
  const reader = (await get('/user/sync/stream')).body?.getReader();
  await reader?.read();
  const asleep = awake;
  awake = new AbortController();
  asleep.abort();
  await expect(reader?.read()).rejects.toThrow('aborted');
  const next = (await get('/user/sync/stream')).body?.getReader();
  expect((await next?.read())?.done).toBe(false);
  server.closeAllConnections();
  server.close();
});
