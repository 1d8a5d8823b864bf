import { expect, test } from 'vitest';
import { findProfileName, parseIgUsername } from './ig-username.ts';

test.each([
  ['@Blue.Bottle_1', 'blue.bottle_1'],
  ['  a ', 'a'],
  ['a'.repeat(30), 'a'.repeat(30)],
  ['a'.repeat(31), undefined],
  ['', undefined],
  ['two words', undefined],
  ['x/../y', undefined],
  ['name){id}', undefined],
  ['ünï', undefined],
])('%j is stored as %j', (typed, name) => {
  expect(parseIgUsername(typed)).toBe(name);
});

test.each([
  [' https://www.instagram.com/Ada.Paints/?hl=en ', 'Ada.Paints'],
  ['instagram.com/ada#top', 'ada'],
  ['http://instagram.com/ada/reels', 'ada'],
  ['https://instagram.com/', undefined],
  ['https://example.com/ada', undefined],
  ['ada', undefined],
])('the address %j names %j', (typed, name) => {
  expect(findProfileName(typed)).toBe(name);
});
