import type { Session } from 'electron';
import { expect, test } from 'vitest';
import {
  closeSession,
  createOutside,
  type GuardedSession,
  isTrustedSender,
  mayNavigate,
  mayOpenOutside,
  mayRequest,
  mayUsePermission,
  outsideAddress,
} from './guards.ts';

const FOREIGN = [
  'https://evil.example/',
  'http://localhost:3000/dashboard',
  'file:///etc/passwd',
  'app://evil/',
  'app://ovation.evil.example/',
  'javascript:alert(1)',
  'ovation://post/1',
  'about:blank',
  'nonsense',
  '',
];

test('the window goes nowhere but to its own pages', () => {
  expect(mayNavigate('app://ovation/dashboard?post=1')).toBe(true);
  for (const url of FOREIGN) expect(mayNavigate(url)).toBe(false);
});

test('what the server answers is never a page of the window', () => {
  for (const path of ['/user/x', '/proxy/x', '//user/x', '/user/../user/x']) {
    expect(mayNavigate(`app://ovation${path}`)).toBe(false);
    expect(isTrustedSender({ url: `app://ovation${path}`, isTop: true })).toBe(false);
  }
  expect(mayNavigate(String.raw`app://ovation/user\x`)).toBe(false);
});

test('a page loads from its own origin and from memory only', () => {
  expect(mayRequest('app://ovation/user/about')).toBe(true);
  expect(mayRequest('blob:app://ovation/1')).toBe(true);
  expect(mayRequest('data:image/png;base64,AA==')).toBe(true);
  for (const url of FOREIGN) expect(mayRequest(url)).toBe(false);
});

const SERVER = 'https://ovation.example';
const PLAIN_LOOPBACK = ['http://localhost:3001/p/x/', 'http://127.0.0.1:3001/', 'http://[::1]/p/'];

test('only encrypted web addresses without credentials open in the browser', () => {
  expect(mayOpenOutside('https://www.instagram.com/p/x/', SERVER)).toBe(true);
  for (const url of [...FOREIGN.slice(1), 'https://a:b@evil.example/', 'http://plain.example/']) {
    expect(mayOpenOutside(url, SERVER)).toBe(false);
    expect(outsideAddress(url, undefined)).toBeUndefined();
  }
});

test('the public pages of the app open at the server, and no other page of it', () => {
  for (const page of ['/terms-of-service', '/privacy-policy']) {
    expect(outsideAddress(`app://ovation${page}?x=1#top`, SERVER)).toBe(SERVER + page);
    expect(outsideAddress(`app://ovation${page}`, undefined)).toBeUndefined();
    expect(outsideAddress(`app://evil${page}`, SERVER)).toBeUndefined();
  }
  const others = ['/', '/dashboard', '/user/about', '/proxy/x', '/terms-of-service/x', '//evil/'];
  for (const path of others) expect(mayOpenOutside(`app://ovation${path}`, SERVER)).toBe(false);
});

test('a plain address of this machine opens only where the server is one too', () => {
  for (const url of PLAIN_LOOPBACK) {
    expect(outsideAddress(url, 'http://127.0.0.1:3000')).toBe(url);
    for (const server of [SERVER, 'https://localhost:3000', undefined]) {
      expect(mayOpenOutside(url, server)).toBe(false);
    }
  }
  expect(mayOpenOutside('http://a:b@localhost/', 'http://localhost')).toBe(false);
  expect(mayOpenOutside('http://localhost.evil.example/', 'http://localhost')).toBe(false);
});

test.each(['media', 'geolocation', 'notifications', 'midi', 'openExternal', 'hid', 'unknown'])(
  'the permission %s is refused',
  (permission) => expect(mayUsePermission(permission, 'app://ovation/')).toBe(false),
);

test('only the top frame of the UI is listened to', () => {
  expect(isTrustedSender({ url: 'app://ovation/', isTop: true })).toBe(true);
  expect(isTrustedSender({ url: 'app://ovation/', isTop: false })).toBe(false);
  expect(isTrustedSender({ url: 'https://evil.example/', isTop: true })).toBe(false);
});

const POST = 'https://www.instagram.com/p/x/';

function open() {
  const opened: string[] = [];
  const clock = { now: 1_000_000 };
  const outside = createOutside(
    () => 'https://ovation.example',
    (url) => void opened.push(url),
    () => clock.now,
  );
  return { outside, opened, clock };
}

test('a page opens outside only when the person has just done something, and one page for each time', () => {
  const { outside, opened } = open();
  outside.open(POST);
  expect(opened).toEqual([]);
  outside.countInput('mouseUp');
  for (let times = 0; times < 3; times += 1) outside.open(POST);
  expect(opened).toEqual([POST]);
  outside.countInput('rawKeyDown');
  outside.open(POST);
  expect(opened).toEqual([POST, POST]);
});

test.each(['mouseMove', 'mouseWheel', 'mouseEnter', 'keyUp'])('%s is no gesture', (type) => {
  const { outside, opened } = open();
  outside.countInput(type);
  outside.open(POST);
  expect(opened).toEqual([]);
});

test('what the person did five seconds ago is no reason any more', () => {
  const { outside, opened, clock } = open();
  outside.countInput('mouseDown');
  clock.now += 5000;
  outside.open(POST);
  expect(opened).toEqual([]);
});

test('a public page of the app opens at its server, and what may not open uses up no click', () => {
  const { outside, opened } = open();
  outside.countInput('mouseUp');
  outside.open('app://ovation/dashboard');
  outside.open('app://ovation/terms-of-service');
  expect(opened).toEqual(['https://ovation.example/terms-of-service']);
});

function close(isDevelopment = false) {
  const asked: Record<string, unknown> = {};
  const session: GuardedSession = {
    setPermissionRequestHandler: (handler) => void (asked['request'] = handler),
    setPermissionCheckHandler: (handler) => void (asked['check'] = handler),
    setSpellCheckerDictionaryDownloadURL: (url) => void (asked['dictionaries'] = () => url),
    setDevicePermissionHandler: (handler) => void (asked['device'] = handler),
    webRequest: { onBeforeRequest: (listener: unknown) => void (asked['load'] = listener) },
    on: ((event: string, listener: unknown): unknown => (asked[event] = listener)) as Session['on'],
  };
  closeSession(session, isDevelopment);
  const ask = (name: string, ...args: unknown[]): unknown =>
    (asked[name] as (...given: unknown[]) => unknown)(...args);
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

test('the replica may stay when the disk gets full; a page of another origin may not ask for that', () => {
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
