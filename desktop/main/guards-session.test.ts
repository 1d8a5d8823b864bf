import { expect, test } from 'vitest';
import { closeSession, type GuardedSession } from './guards.ts';

function close(isDevelopment = false) {
  const asked: Record<string, (...args: never[]) => unknown> = {};
  const session: GuardedSession = {
    setPermissionRequestHandler: (handler) => void (asked['request'] = handler),
    setPermissionCheckHandler: (handler) => void (asked['check'] = handler),
    setSpellCheckerDictionaryDownloadURL: (url) => void (asked['dictionaries'] = () => url),
    setDevicePermissionHandler: (handler) => void (asked['device'] = handler),
    webRequest: { onBeforeRequest: (listener) => void (asked['load'] = listener) },
    on: (event, listener) => void (asked[event] = listener),
  };
  closeSession(session, isDevelopment);
  const ask = (name: string, ...args: unknown[]): unknown => asked[name]?.(...(args as never[]));
  return { ask };
}

const OURS = 'app://ovation/dashboard';

/** What a page hears when it asks for a permission, and when it looks whether it has it. */
function permission(name: string, requestingUrl = OURS): unknown[] {
  const { ask } = close();
  const answers: unknown[] = [];
  const note = (isGiven: boolean): void => void answers.push(isGiven);
  ask('request', null, name, note, { requestingUrl, isMainFrame: true });
  return [...answers, ask('check', null, name, requestingUrl)];
}

test.each(['media', 'geolocation', 'notifications', 'openExternal', 'unknown'])(
  'a page that asks for the permission %s is refused',
  (name) => expect([...permission(name), close().ask('device')]).toEqual([false, false, false]),
);

test('copying is allowed: a click asks for it', () => {
  expect(permission('clipboard-sanitized-write')).toEqual([true, true]);
});

test('the copy may stay when the disk gets full; a page of another origin may not ask for that', () => {
  expect(permission('persistent-storage')).toEqual([true, true]);
  for (const url of ['https://evil.example/', 'app://evil/', '']) {
    expect(permission('persistent-storage', url)).toEqual([false, false]);
  }
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

test('the tools for developers load where the sources run, and nowhere else', () => {
  const isCanceled = (isDevelopment: boolean, url: string): boolean => {
    const answers: Array<{ cancel: boolean }> = [];
    close(isDevelopment).ask('load', { url }, (answer: never) => void answers.push(answer));
    return answers[0]?.cancel ?? true;
  };
  const tools = 'devtools://devtools/bundled/devtools_app.html';
  expect([isCanceled(true, tools), isCanceled(false, tools)]).toEqual([false, true]);
  expect(isCanceled(true, 'https://evil.example/')).toBe(true);
});

test('no dictionary is fetched from another host', () => {
  expect(close().ask('dictionaries')).toMatch(/^app:\/\/ovation\//);
});
