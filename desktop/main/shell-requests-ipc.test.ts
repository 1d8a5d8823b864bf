import { expect, test } from 'vitest';
import { REQUEST_NAMES, requestChannel } from '../ipc.ts';
import { type IpcServer, type RequestHandlers, serveIpc } from './shell-requests.ts';

type Listener = Parameters<IpcServer<{ isOurs: boolean }>['handle']>[1];

function serve() {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  const channels = new Map<string, Listener>();
  const handlers = Object.fromEntries(REQUEST_NAMES.map((name) => [name, note(name)]));
  serveIpc<{ isOurs: boolean }>(
    { handle: (channel, listener) => void channels.set(channel, listener) },
    (event) => event.isOurs,
    handlers as unknown as RequestHandlers,
  );
  const ask = (channel: string, args: unknown[], isOurs = true): unknown =>
    channels.get(channel)?.({ isOurs }, ...args);
  return { ask, channels, done };
}

test('every request of the table is served, and nothing else', () => {
  const { channels } = serve();
  expect([...channels.keys()]).toEqual(REQUEST_NAMES.map(requestChannel));
});

test('a request that fits is carried out', () => {
  const { ask, done } = serve();
  ask(requestChannel('setBadge'), [3]);
  ask(requestChannel('notify'), [{ title: 'a', body: 'b', path: '/dashboard' }]);
  expect(done).toEqual([
    ['setBadge', 3],
    ['notify', { title: 'a', body: 'b', path: '/dashboard' }],
  ]);
});

test('another sender is refused', () => {
  const { ask, done } = serve();
  for (const name of REQUEST_NAMES) {
    expect(() => ask(requestChannel(name), [], false)).toThrow('Only the window of the app');
  }
  expect(done).toEqual([]);
});

test.each([
  ['setBadge', [-1]],
  ['setBadge', ['3']],
  ['setBadge', []],
  ['setBadge', [1, 2]],
  ['notify', [{ title: 'a', body: 'b', path: 'https://evil.example' }]],
  ['notify', [{ title: 'a', body: 'b', path: '//evil.example' }]],
  ['saveFile', [{ name: '', content: 'x' }]],
  ['saveFile', [{ name: 'x', content: { path: '/etc/passwd' } }]],
  ['setTrayState', [{ sync: 'on fire', pending: 0 }]],
  ['openExternal', [{ url: 'x' }]],
] as const)('%s refuses %j', (name, args) => {
  const { ask, done } = serve();
  expect(() => ask(requestChannel(name), [...args])).toThrow('something else than it takes');
  expect(done).toEqual([]);
});
