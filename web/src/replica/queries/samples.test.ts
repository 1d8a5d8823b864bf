import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { type LikeSample, postsToSample, withSample } from './samples.ts';

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

const post = (id: string, organicLikes: number | null, deliveredLikes: number) =>
  postExample({ id, organicLikes, deliveredLikes });

test('only posts whose organic or delivered likes have changed are sampled again', () => {
  const before = [post('same', 1, 2), post('organic', 1, 2), post('delivered', 1, 2)];
  const after = [
    post('new', 0, 0),
    post('same', 1, 2),
    post('organic', 2, 2),
    post('delivered', 1, 3),
  ];
  const ids = postsToSample(before, after).map(({ id }) => id);
  expect(ids).toEqual(['new', 'organic', 'delivered']);
  expect(postsToSample(undefined, before)).toHaveLength(3);
});
