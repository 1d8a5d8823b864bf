/// <reference types="node" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createApi } from '#web/api/client.ts';
import { endOnServer } from './end-of-session.ts';
import { isServerThere } from './use-end-of-session.ts';

const stops: Array<() => void> = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Takes every call and never answers; its address. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('before a log-out, a server that takes a call and says nothing is not there', async () => {
  expect(await isServerThere(await silentServer(), fetch, 50)).toBe(false);
});

test('a log-out that a server takes and never answers is told as one without an answer', async () => {
  const api = createApi({ baseUrl: await silentServer(), fetch });
  expect(await endOnServer({ api }, 50)).toBe(false);
});
