import { expect, test } from 'vitest';
import { gridMove } from './use-roving-focus.ts';

/** Eleven cards: rows 0-3, 4-7, 8-10. */
const shape = { count: 11, columns: 4, rowsOnScreen: 2 };
const move = (key: string, index: number, hasControl = false) =>
  gridMove(key, hasControl, index, shape);

test.each([
  ['left and right run on over the ends of rows', ['ArrowRight', 3, 4], ['ArrowLeft', 4, 3]],
  ['up and down keep the column', ['ArrowDown', 1, 5], ['ArrowUp', 5, 1]],
  [
    'the focus stays inside the grid',
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 10, 10],
    ['ArrowUp', 2, 2],
  ],
  ['a last row that is too short takes its last card', ['ArrowDown', 7, 10], ['PageDown', 3, 10]],
  ['down in the last row stays', ['ArrowDown', 9, 9]],
  [
    'page keys move by what fits on the screen',
    ['PageDown', 1, 9],
    ['PageUp', 9, 1],
    ['PageUp', 5, 1],
  ],
  ['Home and End lead to the ends of the row', ['Home', 6, 4], ['End', 6, 7], ['End', 8, 10]],
] as const)('%s', (_, ...moves) => {
  for (const [key, from, to] of moves as ReadonlyArray<readonly [string, number, number]>)
    expect(move(key, from)).toBe(to);
});

test('with Control, Home and End lead to the first and the last post', () => {
  expect([move('Home', 6, true), move('End', 6, true)]).toEqual([0, 10]);
});

test('other keys are not the grid’s', () => {
  expect(move('a', 3)).toBeUndefined();
  expect(move('Enter', 3)).toBeUndefined();
});
