import { expect, test } from 'vitest';
import { readPlace, writePlace } from './pull-place.ts';

const encoded = (parts: unknown): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

test('a place is read as it was written, and fits into an address', () => {
  const place = { to: 9, v: 7, entity: 'post', id: '01890000/1>>>???ü' };
  expect(readPlace(writePlace(place))).toEqual(place);
  expect(writePlace(place)).toMatch(/^[\w-]+$/);
});

test.each([
  ['no JSON', Buffer.from('[').toString('base64url')],
  ['not four parts', encoded([9, 7, 'post'])],
  ['a head that is no number', encoded(['9', 7, 'post', '1'])],
  ['a version that isn’t whole', encoded([9, 7.5, 'post', '1'])],
  ['an entity that is no word', encoded([9, 7, 1, '1'])],
  ['an id that is no word', encoded([9, 7, 'post', 1])],
  ['an entity that the database can’t hold', encoded([9, 7, 'po\0st', '1'])],
  ['an id that the database can’t hold', encoded([9, 7, 'post', '\0'])],
])('%s is no place', (_what, text) => {
  expect(readPlace(text)).toBeUndefined();
});
