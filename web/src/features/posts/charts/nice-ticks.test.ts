import { expect, test } from 'vitest';
import { niceTicks } from './nice-ticks.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 5, 10]],
  [272, [0, 100, 200, 300]],
  [1001, [0, 500, 1000, 1500]],
])('an axis up to %i is marked with round numbers that reach it', (most, ticks) => {
  expect(niceTicks(most, 3)).toEqual(ticks);
});
