import { expect, test } from 'vitest';
import {
  isTrustedSender,
  mayNavigate,
  mayOpenOutside,
  mayRequest,
  mayUsePermission,
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

test('only encrypted web addresses without credentials open in the browser', () => {
  expect(mayOpenOutside('https://www.instagram.com/p/x/')).toBe(true);
  for (const url of [...FOREIGN.slice(1), 'https://a:b@evil.example/', 'http://plain.example/']) {
    expect(mayOpenOutside(url)).toBe(false);
  }
});

test.each(['media', 'geolocation', 'notifications', 'midi', 'openExternal', 'hid', 'unknown'])(
  'the permission %s is refused',
  (permission) => expect(mayUsePermission(permission)).toBe(false),
);

test('only the top frame of the UI is listened to', () => {
  expect(isTrustedSender({ url: 'app://ovation/', isTop: true })).toBe(true);
  expect(isTrustedSender({ url: 'app://ovation/', isTop: false })).toBe(false);
  expect(isTrustedSender({ url: 'https://evil.example/', isTop: true })).toBe(false);
});
