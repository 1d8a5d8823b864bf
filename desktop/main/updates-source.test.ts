import { expect, test } from 'vitest';
import { mayUpdateFrom, updateAddress, updatePublicKey } from './updates.ts';

test.each([
  ['https://updates.example/ovation', true],
  ['http://localhost:8080/', true],
  ['http://127.0.0.1/', true],
  ['http://updates.example/ovation', false],
  ['http://localhost.evil.example/', false],
  ['file:///tmp', false],
  ['updates.example', false],
  ['', false],
])('updates may come from %s: %s', (address, may) => expect(mayUpdateFrom(address)).toBe(may));

test('the address is read from the file beside the app', () => {
  const file = (url: string): string => `provider: generic\nurl: ${url}\nupdaterCacheDirName: x\n`;
  expect(updateAddress(file('https://updates.example/a'))).toBe('https://updates.example/a');
  expect(updateAddress(file("'https://updates.example/a'"))).toBe('https://updates.example/a');
  expect(updateAddress(file('http://updates.example/a'))).toBeUndefined();
  expect(updateAddress('provider: github\n')).toBeUndefined();
  expect(updateAddress(undefined)).toBeUndefined();
});

test('the key is read from what was packed, and is none where it is no text', () => {
  expect(updatePublicKey('{"updatePublicKey":"abc"}')).toBe('abc');
  expect(updatePublicKey('{"updatePublicKey":1}')).toBeUndefined();
  expect(updatePublicKey('{}')).toBeUndefined();
  expect(updatePublicKey(undefined)).toBeUndefined();
});
