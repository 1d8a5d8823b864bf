import { expect, test } from 'vitest';
import { closeSession, type GuardedSession } from './close-session.ts';

function close() {
  const asked: Record<string, (...args: never[]) => unknown> = {};
  const session: GuardedSession = {
    setPermissionRequestHandler: (handler) => void (asked['request'] = handler),
    setPermissionCheckHandler: (handler) => void (asked['check'] = handler),
    setDevicePermissionHandler: (handler) => void (asked['device'] = handler),
    webRequest: { onBeforeRequest: (listener) => void (asked['load'] = listener) },
    on: (event, listener) => void (asked[event] = listener),
  };
  closeSession(session);
  const ask = (name: string, ...args: unknown[]): unknown => asked[name]?.(...(args as never[]));
  return { ask };
}

test.each(['media', 'geolocation', 'notifications', 'openExternal', 'unknown'])(
  'a page that asks for the permission %s is refused',
  (permission) => {
    const { ask } = close();
    const answers: boolean[] = [];
    ask('request', null, permission, (isGiven: boolean) => void answers.push(isGiven));
    expect([...answers, ask('check', null, permission), ask('device')]).toEqual([
      false,
      false,
      false,
    ]);
  },
);

test('copying is allowed: a click asks for it', () => {
  expect(close().ask('check', null, 'clipboard-sanitized-write')).toBe(true);
});

test.each([
  ['app://ovation/user/about', false],
  ['blob:app://ovation/1', false],
  ['https://evil.example/x', true],
  ['http://localhost:3000/user/about', true],
  ['file:///etc/passwd', true],
  ['ws://localhost:1/', true],
])('a request to %s is cancelled: %s', (url, isCanceled) => {
  const answers: unknown[] = [];
  close().ask('load', { url }, (answer: unknown) => void answers.push(answer));
  expect(answers).toEqual([{ cancel: isCanceled }]);
});

test('a download of the page is stopped', () => {
  let isPrevented = false;
  close().ask('will-download', { preventDefault: () => void (isPrevented = true) });
  expect(isPrevented).toBe(true);
});
