import { expect, test } from 'vitest';
import { parseIgUsername } from './ig-username.ts';

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
