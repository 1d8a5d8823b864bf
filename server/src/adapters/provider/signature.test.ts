import { expect, test } from 'vitest';
import { signMessage, verifySignature } from './signature.ts';

const NOW_MS = 1_795_000_000_000;
const MESSAGE = { method: 'POST', path: '/provider/v1/orders?a=1', body: '{"orders":[]}' };
const HEADER = signMessage('secret', MESSAGE, NOW_MS);

test('a signature is of the documented form and verifies', () => {
  expect(HEADER).toMatch(/^t=1795000000,v1=[0-9a-f]{64}$/);
  expect(verifySignature('secret', HEADER, MESSAGE, NOW_MS)).toBe(true);
});

test.for([
  ['another secret', 'other', HEADER, MESSAGE, NOW_MS],
  ['another body', 'secret', HEADER, { ...MESSAGE, body: '{"orders": []}' }, NOW_MS],
  ['another query', 'secret', HEADER, { ...MESSAGE, path: '/provider/v1/orders?a=2' }, NOW_MS],
  ['another method', 'secret', HEADER, { ...MESSAGE, method: 'GET' }, NOW_MS],
  ['another time', 'secret', HEADER.replace('t=1795000000', 't=1795000001'), MESSAGE, NOW_MS],
  ['more than 5 minutes old', 'secret', HEADER, MESSAGE, NOW_MS + 300_001],
  ['more than 5 minutes ahead', 'secret', HEADER, MESSAGE, NOW_MS - 300_001],
  ['no header', 'secret', undefined, MESSAGE, NOW_MS],
  ['a header that is none', 'secret', 't=1,v1=zz', MESSAGE, NOW_MS],
  ['upper case hex', 'secret', HEADER.toUpperCase(), MESSAGE, NOW_MS],
] as const)('%s is refused', ([, secret, header, message, nowMs]) => {
  expect(verifySignature(secret, header, message, nowMs)).toBe(false);
});

test('just 5 minutes is accepted', () => {
  expect(verifySignature('secret', HEADER, MESSAGE, NOW_MS + 300_000)).toBe(true);
});
