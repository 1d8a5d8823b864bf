import { expect, test } from 'vitest';
import {
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
