import { expect, test } from 'vitest';
import { createGridFocus } from './grid-focus.ts';

test('the focus a card had is given once, to the same post, when the grid is laid out anew', () => {
  const focus = createGridFocus('one');
  focus.activate('two');
  focus.want();
  expect([focus.activeId(), focus.isWanted()]).toEqual(['two', true]);
  focus.settle();
  expect([focus.activeId(), focus.isWanted()]).toEqual(['two', false]);
});
