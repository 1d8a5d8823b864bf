import { expect, test } from 'vitest';
import { seededRandom } from '#test/seeded.ts';
import { automaticAmount, newPostsFrom } from './automatic-likes.ts';
import { PLANS } from '../money/plans.ts';

const draws = (plan: number, range?: { min: number; max: number }) => {
  const random = seededRandom(plan);
  return Array.from({ length: 4000 }, () => automaticAmount(plan, range, random));
};

// Shows fact 1.07.
test('a bonus comes on about 30 % of posts and is 5 to 10 % of the plan on every plan', () => {
  for (const { likes } of PLANS) {
    const amounts = draws(likes);
    const bonuses = amounts.map(({ bonus }) => bonus).filter((bonus) => bonus > 0);
    expect(amounts.every(({ ordered }) => ordered === likes)).toBe(true);
    expect(bonuses.every((bonus) => bonus >= likes * 0.05 && bonus <= likes * 0.1)).toBe(true);
    expect(bonuses.length / amounts.length).toBeGreaterThan(0.27);
    expect(bonuses.length / amounts.length).toBeLessThan(0.33);
  }
});

test('a bonus is at least 5 and at most 10 % of the plan, both ends included', () => {
  const bonusOf = (drawn: number): number => {
    const draws = [0, drawn];
    return automaticAmount(500, undefined, () => draws.shift() ?? 0).bonus;
  };
  expect([bonusOf(0), bonusOf(0.9999)]).toEqual([25, 50]);
});

// Shows fact 1.08.
test('with a range the amount covers the range, both ends included, and has no bonus', () => {
  const amounts = draws(500, { min: 10, max: 20 });
  expect(new Set(amounts.map(({ ordered }) => ordered))).toEqual(
    new Set([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]),
  );
  expect(amounts.every(({ bonus }) => bonus === 0)).toBe(true);
});

test('a range is capped at the plan', () => {
  expect(new Set(draws(50, { min: 100, max: 1000 }).map(({ ordered }) => ordered))).toEqual(
    new Set([50]),
  );
  expect(Math.max(...draws(50, { min: 10, max: 1000 }).map(({ ordered }) => ordered))).toBe(50);
});

test('the same seed is the same decision', () => {
  expect(automaticAmount(250, undefined, seededRandom(7))).toEqual(
    automaticAmount(250, undefined, seededRandom(7)),
  );
});

test('a post up to five minutes older than the baseline is new, but none of a day before the plan’s first', () => {
  const from = (baseline: string, created: string): string => {
    const beginning = { baselineReadMs: Date.parse(baseline), createdMs: Date.parse(created) };
    return new Date(newPostsFrom({ ...beginning, timeZone: 'Asia/Kolkata' })).toISOString();
  };
  // Midnight in Kolkata is 18:30 UTC.
  expect(from('2027-04-01T12:00:00Z', '2027-04-01T12:00:05Z')).toBe('2027-04-01T11:55:00.000Z');
  expect(from('2027-04-01T18:31:00Z', '2027-04-01T18:31:05Z')).toBe('2027-04-01T18:30:00.000Z');
  expect(from('2027-04-01T18:29:00Z', '2027-04-01T18:30:01Z')).toBe('2027-04-01T18:30:00.000Z');
  // Read again at the end of a pause: the day before is the plan's, too.
  expect(from('2027-04-09T18:31:00Z', '2027-04-01T12:00:05Z')).toBe('2027-04-09T18:26:00.000Z');
});
