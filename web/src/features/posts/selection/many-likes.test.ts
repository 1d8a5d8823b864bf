import { expect, test } from 'vitest';
import { MANY_POSTS_MAX, manyLikes } from './selection-bar.tsx';

test('the total is posts times likes, and what is left is known before', () => {
  expect(manyLikes(12, '50', 2000)).toEqual({ kind: 'ready', each: 50, total: 600, left: 1400 });
  expect(manyLikes(12, '50', 600)).toMatchObject({ kind: 'ready', left: 0 });
});

test.each([
  [12, '50', 599, 'That’s 600 credits. You have 599.'],
  [2, '19', 500, 'At least 20 likes each.'],
  [2, '', 500, 'At least 20 likes each.'],
  [2, '1e3', 500, 'Please enter a whole number.'],
  [2, '-50', 500, 'Please enter a whole number.'],
  [MANY_POSTS_MAX + 1, '20', 1_000_000, 'Select up to 200 posts.'],
])('%i posts, %j likes each and %i credits: %s', (posts, typed, credits, sentence) => {
  expect(manyLikes(posts, typed, credits)).toEqual({ kind: 'not_yet', sentence });
});
