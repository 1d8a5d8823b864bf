import { expect, test } from 'vitest';
import { withoutMoney } from '#shared/contract/accounts/connected-account.ts';
import { accountExample } from '#web/testing/examples.ts';
import { accountColumns } from './list/account-columns.tsx';
import { runningPlan, statusOf, sumSentence } from './account-status.ts';
import { nextChargeOf } from '#web/payments/plan/next-charge.ts';

const OPTIONS = {
  timeZone: 'UTC',
  seesMoney: true,
  kept: undefined,
  manage: () => undefined,
};

const active = accountExample({
  subscriptionState: 'Active',
  accountPackageId: 3,
  nextBillingDate: '2026-12-21T23:30:00.000Z',
});

test('a state is said with what comes next, in the customer’s zone', () => {
  expect(statusOf(active, 'UTC')).toEqual({ word: 'Active', tone: 'good', detail: '' });
  const ending = { ...active, endsAt: '2026-12-21T23:30:00.000Z' };
  expect(statusOf(ending, 'UTC').detail).toBe('Stops on Dec 21, 2026');
  expect(statusOf({ ...ending, timeZone: 'Asia/Tokyo' }, 'UTC').detail).toBe(
    'Stops on Dec 22, 2026',
  );
  const paused = { ...active, subscriptionState: 'Paused' as const, resumesAt: ending.endsAt };
  expect(statusOf(paused, 'UTC')).toMatchObject({
    word: 'Paused',
    detail: 'Until Dec 21, 2026',
  });
  const leaving = { ...paused, endsAt: '2026-12-31T23:30:00.000Z' };
  expect(statusOf(leaving, 'UTC').detail).toBe('Until Dec 21, 2026, stops on Dec 31, 2026');
  const pastDue = { ...active, subscriptionState: 'Past due' as const };
  expect(statusOf(pastDue, 'UTC').tone).toBe('bad');
});

test('a planned change is said with its likes and its day, unless the plan ends before', () => {
  const planned = {
    ...active,
    timeZone: null,
    nextPackageId: 1,
    nextPackageFrom: '2026-12-21T23:30:00.000Z',
  };
  expect(statusOf(planned, 'UTC').detail).toBe('50 likes from Dec 21, 2026');
  expect(statusOf(planned, 'Asia/Tokyo').detail).toBe('50 likes from Dec 22, 2026');
  const ofPlan = { ...planned, timeZone: 'UTC' };
  expect(statusOf(ofPlan, 'Asia/Tokyo').detail).toBe('50 likes from Dec 21, 2026');
  const ending = { ...planned, endsAt: '2026-12-20T12:00:00.000Z' };
  expect(statusOf(ending, 'UTC').detail).toBe('Stops on Dec 20, 2026');
  const columns = accountColumns(OPTIONS);
  const column = columns.find(({ key }) => key === 'planned');
  expect(column?.csv?.(planned)).toBe('50 likes from Dec 21, 2026');
  expect(column?.csv?.(active)).toBe('');
});

test('an account that was only connected has no plan, and can be found by that', () => {
  const connected = accountExample({ subscriptionState: null, accountPackageId: null });
  expect(statusOf(connected, 'UTC').word).toBe('No plan');
  expect(runningPlan(connected)).toBeUndefined();
  expect(nextChargeOf(connected)).toBeUndefined();
});

test('a plan that stops is not charged again, and one that ended has no plan', () => {
  expect(nextChargeOf(active)?.atMs).toBe(Date.parse('2026-12-21T23:30:00.000Z'));
  expect(nextChargeOf({ ...active, endsAt: active.nextBillingDate })).toBeUndefined();
  expect(runningPlan({ ...active, subscriptionState: 'Canceled' })).toBeUndefined();
});

test('a paused plan is charged when its pause ends, everywhere it is said', () => {
  const paused = { ...active, subscriptionState: 'Paused' as const };
  expect(nextChargeOf(paused)).toEqual(nextChargeOf(active));
});

test('an account that can’t be read says so and is found by it', () => {
  const unreadable = { ...active, problem: 'unreadable' as const };
  expect(statusOf(unreadable, 'UTC')).toMatchObject({
    tone: 'wait',
    detail: 'Can’t be read',
  });
  const columns = accountColumns(OPTIONS);
  const state = columns.find(({ key }) => key === 'state');
  expect(state?.text(unreadable)).toContain('Can’t be read');
});

test('an ended plan says until when its money can be asked back', () => {
  const ended = { ...active, subscriptionState: 'Canceled' as const };
  const until = { moneyBackUntil: '2026-12-21T23:30:00.000Z', moneyBackAmount: 17 };
  expect(statusOf({ ...ended, ...until }, 'UTC').detail).toBe('Money back until Dec 21, 2026');
  const over = { moneyBackUntil: null, moneyBackAmount: null };
  expect(statusOf({ ...ended, ...over }, 'UTC').detail).toBe('');
});

test('the sum counts accounts, those with a plan, and what these cost together', () => {
  const none = accountExample({ subscriptionState: null, accountPackageId: null });
  expect(sumSentence([active, none], 'found', true)).toBe(
    '2 accounts found, 1 plan, $24.00 per month',
  );
});

test('nothing of money is said to who may not see it', () => {
  const pastDue = { ...active, subscriptionState: 'Past due' as const };
  expect(statusOf(pastDue, 'UTC').detail).toBe('Card declined');
  const waiting = { ...pastDue, postsWaitSince: '2026-12-21T23:30:00.000Z' };
  const seenAt = (instant: string) => statusOf(withoutMoney(waiting, Date.parse(instant)), 'UTC');
  expect(seenAt('2026-12-21T23:29:00Z')).toEqual({ word: 'Active', tone: 'good', detail: '' });
  const detail = 'New posts are waiting';
  expect(seenAt('2026-12-21T23:30:00Z')).toEqual({ word: 'Waiting', tone: 'wait', detail });
  expect(sumSentence([active], 'connected', false)).toBe('1 account connected, 1 plan');
  const keys = (seesMoney: boolean) =>
    accountColumns({ ...OPTIONS, seesMoney }).map(({ key }) => key);
  expect(keys(true).filter((key) => !keys(false).includes(key))).toEqual(['price', 'next']);
});
