import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpImageSource } from '#server/adapters/images/http-image-source.ts';
import { hostileUrls } from '#server/adapters/images/hostile-urls.fake.ts';
import {
  openScriptedServer,
  type ScriptedServer,
} from '#server/adapters/http/scripted-server.fake.ts';
import { createApp } from '#server/main/app.ts';
import type { ImageSource } from '#server/adapters/images/image-source.ts';
import { signUp } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { signImagePath } from './image-path.ts';

let deps: TestDeps;
let source: ImageSource & { close(): Promise<void> };
let server: ScriptedServer;
let ada: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  deps = await createTestDeps();
  server = await openScriptedServer((response) => response.end('x'));
  source = createHttpImageSource({ hosts: [`127.0.0.1:${server.port}`] });
  ada = await signUp(createApp({ ...deps, imageSource: source }), deps, 'ada');
});
afterAll(async () => {
  await source.close();
  await server.close();
  await deps.database.close();
});

const PATHS = [
  ['..%2f..%2fetc%2fpasswd', '..%5c..%5cwindows', '%2e%2e%2fuser', '%00', '%ff', '%', '%%'],
  ['A', '=', '.', '..', '~', '*', '__proto__', 'constructor', 'x'.repeat(8000)],
].flat();

/** What may stand behind `/proxy/`: addresses in each spelling, paths out of it, forged paths. */
function hostilePaths(): string[] {
  const urls = hostileUrls(server.port);
  const own = ada.user.profilePic.replace('/proxy/', '');
  const forged = [
    own.slice(1),
    `${own}A`,
    own.toUpperCase(),
    `${own}.jpg`,
    own.repeat(2),
    `A${own}`,
  ];
  const target = { workspaceId: deps.ids.uuid(), accountId: deps.ids.uuid(), id: '1' };
  const otherSecret = signImagePath('another-secret', { ...target, kind: 'profile' });
  return [
    ...urls.map((url) => encodeURIComponent(url.toWellFormed())),
    ...urls.slice(0, 60).map((url) => Buffer.from(url).toString('base64url')),
    ...PATHS,
    otherSecret,
    ...(own ? forged : []),
  ];
}

test('hostile paths behind /proxy/ lead nowhere: no answer but a refusal, no connection', async () => {
  const paths = [...new Set(hostilePaths())].filter((path) => path !== '');
  expect(paths.length).toBeGreaterThanOrEqual(200);
  const served: string[] = [];
  for (const path of paths) {
    const { status } = await ada.client.send(`/proxy/${path}`);
    if (status !== 404 && status !== 400) served.push(`${status} ${path}`);
  }
  expect(served).toEqual([]);
  expect(server.connectionCount()).toBe(0);
});
