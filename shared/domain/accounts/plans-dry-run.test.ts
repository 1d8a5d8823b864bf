import { expect, test } from 'vitest';
import { DAY_MS } from '../durations.ts';
import type { PostHistory } from '../money/plan-adviser.ts';
import { dryRunPlans } from './plans-dry-run.ts';
import { getPlan } from '../money/plans.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
/** Posts at noon of the last days, so many each. */
const posted = (days: number, eachDay: number, knownDays = 90): PostHistory => ({
  postsMs: Array.from({ length: days }, (_, day) =>
    Array.from({ length: eachDay }, (_of, nth) => NOW - day * DAY_MS - nth * 60_000),
  ).flat(),
  fromMs: NOW - knownDays * DAY_MS,
  untilMs: NOW,
  timeZone: 'UTC',
});
const FIVE_HUNDRED = getPlan(4);
const FIFTY = getPlan(1);

test('several plans say together which posts of the last 30 days they would have served', () => {
  // Of six posts a day four: 40, and 10; (4,800 + 999 cents) / (40 x 500 + 10 x 50 likes).
  const lookedAt = [
    { plan: FIVE_HUNDRED, history: posted(10, 6) },
    { plan: FIFTY, history: posted(10, 1) },
  ];
  expect(dryRunPlans(lookedAt, NOW)).toBe(
    'In the last 30 days, these plans would have sent likes to 50 of 70 posts, at 0.28 cents a like.',
  );
});

test('accounts that are known for fewer days, or not at all, are counted apart, and no price is made up', () => {
  const lookedAt = [
    { plan: FIFTY, history: posted(3, 1, 12) },
    { plan: FIFTY, history: undefined },
    { plan: FIFTY, history: posted(0, 0, 0) },
  ];
  expect(dryRunPlans(lookedAt, NOW)).toBe(
    'In the last 30 days, these plans would have sent likes to 3 of 3 posts. We know fewer days of 1 account. We don’t know the posts of 2 accounts yet.',
  );
});

test('accounts without posts, and accounts of which none are known, are told apart', () => {
  expect(dryRunPlans([{ plan: FIFTY, history: posted(0, 0) }], NOW)).toBe(
    'In the last 30 days, there were no posts this plan could have sent likes to.',
  );
  expect(
    dryRunPlans(
      [1, 2].map((number) => ({ plan: getPlan(number), history: undefined })),
      NOW,
    ),
  ).toBe(
    'We don’t know the posts of these accounts yet, so we can’t say what these plans would have bought.',
  );
});
