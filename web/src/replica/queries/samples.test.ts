import { expect, test } from 'vitest';
import { type LikeSample, withSample } from './samples.ts';

const sample = (atMs: number, delivered: number): LikeSample => ({ atMs, organic: 1, delivered });

test('a sample that says what the last one says is not kept', () => {
  expect(withSample([sample(1, 5)], sample(2, 5))).toBeUndefined();
  expect(withSample([sample(1, 5)], sample(2, 6))).toEqual([sample(1, 5), sample(2, 6)]);
});

test('a long history is thinned, and keeps its first and its newest sample', () => {
  let kept: readonly LikeSample[] = [];
  for (let nth = 0; nth < 1000; nth += 1) kept = withSample(kept, sample(nth, nth)) ?? kept;
  expect(kept.length).toBeLessThanOrEqual(120);
  expect([kept[0], kept.at(-1)]).toEqual([sample(0, 0), sample(999, 999)]);
});
