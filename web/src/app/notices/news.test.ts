import { expect, test } from 'vitest';
import { accountExample, orderExample, postExample } from '#web/testing/examples.ts';
import { newsOfAccount, newsOfOrder, newsOfPost } from './news.ts';

const paths = { receipt: (postId: string) => `/dashboard?post=${postId}`, billing: '/my-billing' };
const DETECTED = { id: '7', detectedAt: '2026-11-21T10:00:09.000Z', deletedAt: null } as const;

test('a detected post is news, with what happens to its likes', () => {
  const post = postExample({ ...DETECTED, automaticOutcome: 'daily_limit', order: null });
  expect(newsOfPost(post, 'ada.paints', paths)).toEqual({
    key: 'post:7',
    notice: {
      title: 'New post by @ada.paints',
      body: 'No automatic likes: only the first 4 posts a day get them.',
      path: '/dashboard?post=7',
    },
  });
});

test('a detected post of an account whose name is not read yet is the same news', () => {
  const post = postExample({ ...DETECTED, order: null });
  const named = newsOfPost(post, 'ada.paints', paths);
  const unnamed = newsOfPost(post, undefined, paths);
  expect([unnamed?.key, unnamed?.notice.title]).toEqual([named?.key, 'New post']);
});

test('a post of the time before the account was connected, or a deleted one, is no news', () => {
  const old = postExample({ ...DETECTED, detectedAt: null, order: null });
  const gone = postExample({ ...DETECTED, deletedAt: '2026-11-21T11:00:00.000Z', order: null });
  expect(newsOfPost(old, 'ada.paints', paths)).toBeUndefined();
  expect(newsOfPost(gone, 'ada.paints', paths)).toBeUndefined();
});

test.each([
  ['Completed', 52, 'Likes delivered: @ada.paints', 'All 50 + 2 bonus likes delivered.'],
  [
    'Partial',
    20,
    'Delivery ended early: @ada.paints',
    'Ended with 20 of 50 + 2 bonus likes delivered.',
  ],
  ['Canceled', 0, 'Delivery ended early: @ada.paints', 'No likes were delivered.'],
] as const)('an order that is %s is news', (state, delivered, title, body) => {
  const order = orderExample({ id: 'o1', postId: '7', state, ordered: 50, bonus: 2, delivered });
  expect(newsOfOrder(order, paths)).toEqual({
    key: 'order:o1',
    notice: { title, body, path: '/dashboard?post=7' },
  });
});

test.each(['Pending', 'Processing', 'In progress'] as const)(
  'an order that is %s is no news',
  (state) => {
    expect(newsOfOrder(orderExample({ state }), paths)).toBeUndefined();
  },
);

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
