import { expect, test } from 'vitest';
import { SLIDE_MS } from '#shared/domain/timings.ts';
import { easeOut, slideSteps } from './timed-slides.ts';

// Shows fact 2.22.
test('a slide of 600 ms is 36 steps of a sixtieth of a second, and the one that is drawn last', () => {
  expect(slideSteps(SLIDE_MS)).toBe(37);
});

test('a slide begins where it is, ends at its goal and never turns back', () => {
  const path = Array.from({ length: 101 }, (_, percent) => easeOut(percent / 100));
  expect([path[0], path[100]]).toEqual([0, 1]);
  expect(path.every((place, index) => index === 0 || place > (path[index - 1] ?? 0))).toBe(true);
});
