import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { postsToSample } from './sampled-posts.ts';

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
