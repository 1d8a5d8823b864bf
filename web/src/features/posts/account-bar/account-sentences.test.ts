import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import {
  serviceCreditSentence,
  planInWords,
  planStateInWords,
  problemSentence,
  troubleSentence,
} from './account-sentences.ts';

test('an unreadable account names all the causes', () => {
  const { title, sentence } = problemSentence('unreadable', 'ada.paints');
  expect(title).toBe('We can’t read @ada.paints');
  for (const cause of ['gone', 'renamed', 'private', 'personal', 'age-restricted']) {
    expect(sentence).toContain(cause);
  }
});

test('the three problems are told apart', () => {
  const titles = (['unreadable', 'throttled', 'unreachable'] as const).map(
    (problem) => problemSentence(problem, 'ada').title,
  );
  expect(new Set(titles).size).toBe(3);
});

test('a plan is said in likes', () => {
  expect(planInWords(accountExample({ accountPackageId: 5 }))).toBe('1,000 likes per post');
  expect(planInWords(accountExample({ accountPackageId: null }))).toBe('No plan');
});

test('the state of a plan is said in words, with its date', () => {
  const said = (changes: Parameters<typeof accountExample>[0]) =>
    planStateInWords(accountExample(changes), (instant) => instant.slice(0, 10));
  const at = '2027-01-03T09:00:00.000Z';
  expect([
    said({}),
    said({ endsAt: at }),
    said({ subscriptionState: 'Paused', resumesAt: at }),
    said({ subscriptionState: 'Past due' }),
    said({ subscriptionState: 'Canceled' }),
    said({ subscriptionState: null, accountPackageId: null }),
  ]).toEqual([
    'Active',
    'Stops on 2027-01-03',
    'Paused until 2027-01-03',
    'Past due',
    'Canceled',
    undefined,
  ]);
});

test('days that a service credit added are said with their reason', () => {
  expect(serviceCreditSentence(accountExample())).toBeUndefined();
  expect(
    serviceCreditSentence(
      accountExample({ shiftDays: 2, shiftReason: 'The account was private.' }),
    ),
  ).toBe('2 days added to this period. The account was private.');
});

test('of all accounts those are named that can’t be read or paid for', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, nth) =>
      accountExample({ igUsername: `a${nth}`, subscriptionState: 'Past due' }),
    );
  const fine = accountExample({ problem: 'throttled' });
  expect(troubleSentence([fine], true)).toBeUndefined();
  expect(troubleSentence([fine, ...named(1)], true)).toBe('@a0 needs your attention.');
  expect(troubleSentence(named(5), true)).toBe('@a0, @a1, @a2 and 2 more need your attention.');
});
