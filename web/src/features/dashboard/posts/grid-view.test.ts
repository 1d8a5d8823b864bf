import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { gridView } from './grid-view.ts';

const posts = [postExample()];
const none = { posts: undefined, isComplete: false };

test('before the first answer the grid waits', () => {
  expect(gridView(none, { kind: 'starting' })).toEqual({ kind: 'waiting' });
});

test('posts that can not be read and are not kept are under maintenance', () => {
  expect(gridView(none, { kind: 'unreachable' })).toEqual({
    kind: 'maintenance',
    reason: undefined,
  });
  expect(gridView(none, { kind: 'posts_unreadable', sentence: 'Private.' })).toEqual({
    kind: 'maintenance',
    reason: 'Private.',
  });
});

test('an account without posts is empty, even when the next reading fails', () => {
  expect(gridView({ posts: [], isComplete: true }, { kind: 'fresh' })).toEqual({ kind: 'empty' });
  expect(gridView({ posts: [], isComplete: true }, { kind: 'unreachable' })).toEqual({
    kind: 'empty',
  });
});

test('kept posts stay when the server can not be reached, and are called what they are', () => {
  expect(gridView({ posts, isComplete: true }, { kind: 'fresh' })).toEqual({
    kind: 'posts',
    posts,
    isComplete: true,
    isStale: false,
  });
  expect(gridView({ posts, isComplete: true }, { kind: 'unreachable' })).toEqual({
    kind: 'posts',
    posts,
    isComplete: true,
    isStale: true,
  });
});
