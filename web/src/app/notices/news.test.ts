import { expect, test } from 'vitest';
import {
  type Alert,
  declinedAlert,
  endedEarlyAlert,
  unreadableAlert,
} from '#shared/domain/accounts/alert.ts';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { newsOfAlert, newsOfOrder, newsOfPost } from './news.ts';

const paths = {
  receipt: (postId: string) => `/dashboard?post=${postId}`,
  billing: '/my-billing',
  alerts: '/my-alerts',
};
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

test('an order that is Completed is news', () => {
  const done = { state: 'Completed', ordered: 50, bonus: 2, delivered: 52 } as const;
  expect(newsOfOrder(orderExample({ id: 'o1', postId: '7', ...done }), paths)).toEqual({
    key: 'order:o1',
    notice: {
      title: 'Likes delivered: @ada.paints',
      body: 'All 50 + 2 bonus likes delivered.',
      path: '/dashboard?post=7',
    },
  });
});

test.each(['Pending', 'Processing', 'In progress', 'Partial', 'Canceled'] as const)(
  'an order that is %s is no news',
  (state) => {
    expect(newsOfOrder(orderExample({ state }), paths)).toBeUndefined();
  },
);

test('an alert is news once while it lasts, and leads to where one acts', () => {
  const of = { igUsername: 'ada.paints', client: null, igId: '1', sinceMs: 1 };
  const order = { id: 'o1', postId: '7', finishedMs: 1, delivered: 3, target: 9, reason: null };
  const pathOf = (alert: Alert) => newsOfAlert(alert, paths).notice.path;
  expect(pathOf(unreadableAlert(of))).toBe('/my-alerts');
  expect(pathOf(declinedAlert(of))).toBe('/my-billing');
  expect(pathOf(endedEarlyAlert(of, order))).toBe('/dashboard?post=7');
  expect(newsOfAlert(declinedAlert(of), paths).key).toBe(newsOfAlert(declinedAlert(of), paths).key);
  expect(newsOfAlert(declinedAlert({ ...of, sinceMs: 2 }), paths).key).not.toBe(
    newsOfAlert(declinedAlert(of), paths).key,
  );
});
