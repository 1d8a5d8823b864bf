import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { gridView } from './grid-view.ts';

const posts = [postExample()];
const offline: SyncStatus = { kind: 'offline', asOf: 0 };
const none = { posts: undefined, isComplete: false };

test('before the first answer the grid waits', () => {
  expect(gridView(none, { kind: 'starting' })).toEqual({ kind: 'waiting' });
});

// Shows fact 2.48.
test('posts that can not be read and are not kept are under maintenance', () => {
  expect(gridView(none, offline)).toEqual({ kind: 'maintenance', reason: undefined });
  expect(gridView({ posts: [], isComplete: true }, { kind: 'live' }, 'Private.')).toEqual({
    kind: 'maintenance',
    reason: 'Private.',
  });
});

// Shows fact 2.49.
test('an account without posts is empty, even when the next reading fails', () => {
  expect(gridView({ posts: [], isComplete: true }, { kind: 'live' })).toEqual({ kind: 'empty' });
  expect(gridView({ posts: [], isComplete: true }, offline)).toEqual({
    kind: 'empty',
  });
});

// Shows fact 8.16.
test('kept posts stay when the server can not be reached, and are called what they are', () => {
  expect(gridView({ posts, isComplete: true }, { kind: 'live' })).toEqual({
    kind: 'posts',
    posts,
    isComplete: true,
  });
  expect(gridView({ posts, isComplete: true }, offline)).toEqual({
    kind: 'posts',
    posts,
    isComplete: true,
  });
});
