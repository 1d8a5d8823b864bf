import { expect, test } from 'vitest';
import { checkSignature, signRequest } from './signature.ts';

const request = { method: 'POST', path: '/provider/v1/orders?x=1', body: '{"a":1}' };
const now = 1_800_000_000_000;
const header = signRequest('secret', now, request);

test('a signed request is good for five minutes, either way of the clock', () => {
  expect(checkSignature('secret', now, header, request)).toBe('good');
  expect(checkSignature('secret', now + 300_000, header, request)).toBe('good');
  expect(checkSignature('secret', now + 301_000, header, request)).toBe('old');
  expect(checkSignature('secret', now - 301_000, header, request)).toBe('old');
});

test('another secret, method, path, query or body is refused', () => {
  expect(checkSignature('other', now, header, request)).toBe('wrong');
  for (const change of [{ method: 'GET' }, { path: '/provider/v1/orders?x=2' }, { body: '{}' }]) {
    expect(checkSignature('secret', now, header, { ...request, ...change })).toBe('wrong');
  }
  expect(checkSignature('secret', now, undefined, request)).toBe('missing');
  expect(checkSignature('secret', now, 't=1,v1=short', request)).toBe('missing');
});
