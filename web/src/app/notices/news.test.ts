import { expect, test } from 'vitest';
import { accountExample, postExample } from '../../testing/examples.ts';
import { newsOfAccount, newsOfPost } from './news.ts';

const paths = { receipt: (postId: string) => `/dashboard?post=${postId}`, billing: '/my-billing' };
const DETECTED = { id: '7', detectedAt: '2026-11-21T10:00:09.000Z', deletedAt: null } as const;
const order = { id: 'o1', target: 50, delivered: 50 } as const;

test('a detected post is news, with what happens to its likes', () => {
  const post = postExample({ ...DETECTED, automaticOutcome: 'daily_limit', order: null });
  expect(newsOfPost(post, 'ada.paints', paths)).toEqual({
    key: 'post:7',
    notice: {
      title: 'New post by @ada.paints',
      body: 'No automatic likes: only the first 4 posts of a day get them.',
      path: '/dashboard?post=7',
    },
  });
});

test('a post of the time before the account was connected, or a deleted one, is no news', () => {
  const old = postExample({ ...DETECTED, detectedAt: null, order: null });
  const gone = postExample({ ...DETECTED, deletedAt: '2026-11-21T11:00:00.000Z', order: null });
  expect(newsOfPost(old, 'ada.paints', paths)).toBeUndefined();
  expect(newsOfPost(gone, 'ada.paints', paths)).toBeUndefined();
});

test.each([
  ['Completed', 50, 'Likes delivered: @ada.paints', 'All 50 likes delivered.'],
  ['Partial', 20, 'Delivery ended early: @ada.paints', 'Ended with 20 of 50 likes delivered.'],
  ['Canceled', 0, 'Delivery ended early: @ada.paints', 'No likes were delivered.'],
] as const)('an order that is %s is news of its own', (state, delivered, title, body) => {
  const post = postExample({ ...DETECTED, order: { ...order, state, delivered } });
  const news = newsOfPost(post, 'ada.paints', paths);
  expect(news).toEqual({ key: 'order:o1', notice: { title, body, path: '/dashboard?post=7' } });
});

test('progress is no further news', () => {
  const pending = postExample({ ...DETECTED, order: { ...order, state: 'Pending', delivered: 0 } });
  const moving = postExample({
    ...DETECTED,
    order: { ...order, state: 'In progress', delivered: 9 },
  });
  const keys = [pending, moving].map((post) => newsOfPost(post, 'ada.paints', paths)?.key);
  expect(keys).toEqual(['post:7', 'post:7']);
});

test('a declined renewal is told once for each period, and leads to the card', () => {
  const declined = accountExample({ subscriptionState: 'Past due' });
  const again = accountExample({
    subscriptionState: 'Past due',
    accountPackageSubsriptionDate: '2026-12-21T09:00:00.000Z',
  });
  expect(newsOfAccount(accountExample(), paths)).toBeUndefined();
  expect(newsOfAccount(declined, paths)?.notice.path).toBe('/my-billing');
  expect(newsOfAccount(again, paths)?.key).not.toBe(newsOfAccount(declined, paths)?.key);
});
