import { expect, test } from 'vitest';
import { moveTo } from './menu-button.tsx';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['ArrowUp', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['x', 1, undefined],
])('in a menu of 3, %s leads from item %i to %s', (key, from, to) => {
  expect(moveTo(key, from, 3)).toBe(to);
});

test('an empty menu has nowhere to go', () => {
  expect(moveTo('ArrowDown', -1, 0)).toBeUndefined();
});
