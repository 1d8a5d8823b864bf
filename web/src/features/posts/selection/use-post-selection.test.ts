import { expect, test } from 'vitest';
import { selectPost } from './use-post-selection.ts';

const shown = ['a', 'b', 'c', 'd'].map((id) => ({
  id,
  deletedAt: id === 'c' ? '2026-11-21T10:00:00.000Z' : null,
}));
const chosen = (before: string[], postId: string, from?: string): string =>
  [...selectPost(new Set(before), shown, postId, from)].join('');

test('a post is chosen, and let go', () => {
  expect(chosen([], 'a')).toBe('a');
  expect(chosen(['a', 'b'], 'a')).toBe('b');
});

test('a range goes both ways, keeps what was chosen before, and leaves deleted posts out', () => {
  expect(chosen(['a'], 'd', 'b')).toBe('abd');
  expect(chosen([], 'a', 'd')).toBe('abd');
});

test('a range from a post that is no longer shown is the one post', () => {
  expect(chosen([], 'b', 'gone')).toBe('b');
});

test('a deleted post is never chosen', () => {
  expect(chosen(['a'], 'c')).toBe('a');
});
