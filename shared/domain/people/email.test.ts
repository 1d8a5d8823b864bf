import { expect, test } from 'vitest';
import { isEmail, normalizeEmail } from './email.ts';

const local = (length: number): string => `${'a'.repeat(length)}@example.com`;
const label = (length: number): string => `a@${'b'.repeat(length)}.com`;

// Shows fact 5.29.
test.each([
  'a@b.co',
  'first.last+tag@sub.example.co.uk',
  'x_y@xn--bcher-kva.example',
  local(64),
  label(63),
])('%s is an address', (text) => {
  expect(isEmail(text)).toBe(true);
});

// Shows fact 5.29.
test.each([
  '',
  'a',
  'a@b',
  '@example.com',
  'a@@example.com',
  'a b@example.com',
  'a@-example.com',
  'a@example-.com',
  'a@.com',
  'a@example..com',
  'a@example.com\nBcc: x@example.com',
  'a,b@example.com',
  local(65),
  label(64),
  `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(10)}.com`,
])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});

test('an address is unique without regard to case and surrounding space', () => {
  expect(normalizeEmail(' Ada@Example.COM ')).toBe('ada@example.com');
});
