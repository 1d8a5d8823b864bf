import { expect, test } from 'vitest';
import type { Post } from '#shared/contract/accounts/post.ts';
import { postExample } from '#web/testing/examples.ts';
import { announcements } from './post-announcer.tsx';

const withProgress = (
  delivered: number,
  state: NonNullable<Post['order']>['state'] = 'In progress',
) => postExample({ order: { id: 'x', state, target: 100, bonus: 0, delivered } });

test('the first posts shown are not read out', () => {
  expect(announcements(undefined, [postExample()])).toEqual([]);
});

test('a post that appears by itself is read out', () => {
  expect(announcements([], [withProgress(20)])).toEqual(['New post. 20 of 100 likes delivered.']);
});

test('older posts that are read later are not read out', () => {
  const older = postExample({ id: 'older', takenAt: '2026-01-01T00:00:00.000Z' });
  expect(announcements([withProgress(20)], [withProgress(20), older])).toEqual([]);
});

test('progress is read out in quarters, not with every batch', () => {
  expect(announcements([withProgress(20)], [withProgress(24)])).toEqual([]);
  expect(announcements([withProgress(24)], [withProgress(26)])).toEqual([
    'A morning at the harbour: 26 of 100 likes delivered.',
  ]);
});

test('a change of state is read out', () => {
  expect(announcements([withProgress(99)], [withProgress(100, 'Completed')])).toEqual([
    'A morning at the harbour: All 100 likes delivered.',
  ]);
});
