import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScriptedServer, type ScriptedServer } from '../http/scripted-server.fake.ts';
import { hostileUrls } from './hostile-urls.fake.ts';
import { createHttpImageSource } from './http-image-source.ts';

const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const LISTED = ['cdn.example', '*.img.example'];

let server: ScriptedServer;
beforeAll(async () => {
  server = await openScriptedServer((response) => response.end(PICTURE));
});
afterAll(() => server.close());

test('more than 200 hostile addresses are refused; nothing is resolved or connected to', async () => {
  const asked: string[] = [];
  const source = createHttpImageSource({
    hosts: LISTED,
    resolve: (hostname) => {
      asked.push(hostname);
      return Promise.resolve(['127.0.0.1']);
    },
  });
  const urls = hostileUrls(server.port);
  expect(new Set(urls).size).toBeGreaterThanOrEqual(200);
  const passed: string[] = [];
  for (const url of urls) {
    const outcome = await source.fetchImage(url);
    if (outcome.kind !== 'refused' || outcome.reason !== 'address') passed.push(url);
  }
  await source.close();
  expect({ passed, asked }).toEqual({ passed: [], asked: [] });
  expect(server.connectionCount()).toBe(0);
});

test('the listed hosts themselves are resolved, and not connected to when they lead here', async () => {
  const asked: string[] = [];
  const source = createHttpImageSource({
    hosts: LISTED,
    resolve: (hostname) => {
      asked.push(hostname);
      return Promise.resolve(['127.0.0.1']);
    },
  });
  for (const url of ['http://cdn.example/1.jpg', 'http://A.IMG.example/1.jpg']) {
    expect((await source.fetchImage(url)).kind).toBe('unavailable');
  }
  await source.close();
  expect(asked).toEqual(['cdn.example', 'a.img.example']);
  expect(server.connectionCount()).toBe(0);
});
