import { expect, test } from 'vitest';
import { accountExample, orderExample, unpaidAccount } from '#web/testing/examples.ts';
import { firstChargeOf, deliveryStatusOf } from './delivery-status.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const LONG_AGO = Date.parse('2026-10-01T00:00:00.000Z');
const ada = accountExample({ accountPackageId: 3 });
const bob = accountExample({ igUsername: 'bob.bakes', igId: '2', timeZone: 'Asia/Tokyo' });

const at = (account: { igId: string }, postedAt: string, more = {}) =>
  orderExample({ igId: account.igId, postedAt, detectedAt: postedAt, ...more });
const stands = (
  accounts: Parameters<typeof deliveryStatusOf>[0],
  orders: Parameters<typeof deliveryStatusOf>[1]['orders'] = [],
  sinceMs = LONG_AGO,
) => deliveryStatusOf(accounts, { orders, sinceMs }, NOW, 'UTC');

test('today has four posts with likes, fewer for each that has been ordered, in the zone of the plan', () => {
  const orders = [
    at(ada, '2026-11-21T00:00:01.000Z'),
    at(ada, '2026-11-20T23:59:59.000Z'),
    at(ada, '2026-11-21T09:00:00.000Z', { kind: 'credit' }),
    // In Tokyo it is the 21st since 15:00 of the 20th.
    at(bob, '2026-11-20T16:00:00.000Z'),
    at(bob, '2026-11-20T14:00:00.000Z'),
  ];
  expect(stands([ada], orders).slots).toEqual({ left: 3, of: 4 });
  expect(stands([bob], orders).slots).toEqual({ left: 3, of: 4 });
  expect(stands([ada, bob], orders).slots).toEqual({ left: 6, of: 8 });
});

test('more than four ordered posts of a day leave none, never fewer', () => {
  const orders = [1, 2, 3, 4, 5].map((hour) => at(ada, `2026-11-21T0${hour}:00:00.000Z`));
  expect(stands([ada], orders).slots).toEqual({ left: 0, of: 4 });
});

test.each([
  ['without a plan', unpaidAccount()],
  ['while it is paused', accountExample({ subscriptionState: 'Paused' })],
  ['while it can’t be read', accountExample({ problem: 'unreadable' })],
  [
    'with likes switched off',
    accountExample({ delivery: { automaticLikes: false, speed: 'Instant', range: null } }),
  ],
  [
    'once posts wait for a payment',
    accountExample({ subscriptionState: 'Past due', postsWaitSince: '2026-11-21T11:00:00.000Z' }),
  ],
])('%s no post of today gets likes', (_, account) => {
  expect(stands([account]).slots).toBeUndefined();
});

test('until the first retry of a payment posts still get their likes', () => {
  const account = accountExample({
    subscriptionState: 'Past due',
    postsWaitSince: '2026-11-21T13:00:00.000Z',
  });
  expect(stands([account]).slots).toEqual({ left: 4, of: 4 });
});

test('how many are left isn’t told when orders of today may be missing', () => {
  expect(stands([ada], [], Date.parse('2026-11-21T01:00:00.000Z')).slots).toBeUndefined();
});

test('likes of this month are those its orders delivered, and say since when if the month isn’t whole', () => {
  const orders = [
    at(ada, '2026-11-21T09:00:00.000Z', { delivered: 20 }),
    at(ada, '2026-11-01T00:00:00.000Z', { delivered: 5, kind: 'credit' }),
    at(ada, '2026-10-31T23:59:59.000Z', { delivered: 100 }),
    at(bob, '2026-11-02T00:00:00.000Z', { delivered: 1000 }),
  ];
  expect(stands([ada], orders).likes).toEqual({ count: 25, sinceMs: undefined });
  const sinceMs = Date.parse('2026-11-10T00:00:00.000Z');
  expect(stands([ada], orders.slice(0, 1), sinceMs).likes).toEqual({ count: 20, sinceMs });
});

test('the next charge is the first of all accounts, with its plan’s price and how many follow', () => {
  const later = accountExample({ ...bob, nextBillingDate: '2026-12-24T00:00:00.000Z' });
  const ending = accountExample({ endsAt: '2026-12-01T00:00:00.000Z' });
  expect(firstChargeOf([later, ada, ending], 'UTC')).toEqual({
    cents: 2400,
    atMs: Date.parse('2026-12-21T09:00:00.000Z'),
    igUsername: 'ada.paints',
    timeZone: 'UTC',
    plans: 1,
    later: 1,
  });
  const sameDay = accountExample({
    ...bob,
    timeZone: 'UTC',
    nextBillingDate: '2026-12-21T23:00:00.000Z',
  });
  const together = firstChargeOf([later, ada, sameDay], 'UTC');
  const each = firstChargeOf([sameDay], 'UTC')?.cents ?? 0;
  expect(together).toMatchObject({ cents: 2400 + each, plans: 2, later: 1 });
  expect(firstChargeOf([ending], 'UTC')).toBeUndefined();
});

test('a promise is kept by a post detected within 30 s whose likes came in time', () => {
  const day = '2026-11-20T09:00';
  const done = { state: 'Completed', finishBy: `${day}:50.000Z` } as const;
  const orders = [
    at(ada, `${day}:00.000Z`, { ...done, postId: 'kept', finishedAt: '2026-11-20T09:09:00.000Z' }),
    at(ada, `${day}:00.000Z`, { ...done, postId: 'late', finishedAt: '2026-11-20T09:11:00.000Z' }),
    at(ada, `${day}:00.000Z`, {
      ...done,
      postId: 'seen late',
      detectedAt: `${day}:31.000Z`,
      finishedAt: `${day}:50.000Z`,
    }),
    at(ada, `${day}:00.000Z`, { postId: 'stuck', finishBy: `${day}:50.000Z` }),
    at(ada, `${day}:00.000Z`, { postId: 'short', state: 'Partial', creditsReturned: 7 }),
    at(ada, `${day}:00.000Z`, { postId: 'deleted', state: 'Partial', creditsReturned: 0 }),
    at(ada, '2026-11-21T11:59:00.000Z', { finishBy: '2026-11-21T13:00:00.000Z' }),
    at(ada, '2026-10-01T09:00:00.000Z', { postId: 'old', finishBy: '2026-10-01T09:00:01.000Z' }),
  ];
  const { posts, kept, brokenPostIds } = stands([ada], orders).promise;
  expect([posts, kept]).toEqual([7, 3]);
  expect([...brokenPostIds]).toEqual(['late', 'seen late', 'stuck', 'short']);
});
