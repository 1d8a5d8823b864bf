import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { advanceCents } from './advances.ts';

const PRICE = { likes: 50, priceCents: 3000, days: 30 };

/** A post in advance, of a plan whose day costs a dollar. */
function order(subscriptionId: string, day: number, isInAdvance = true) {
  const plan = { ...PRICE, subscriptionId };
  const likes = { ordered: 50, delivered: 50 };
  return { plan, igId: 'ig', ...likes, orderedAtMs: day * DAY_MS, isInAdvance };
}

test('four posts in advance of a payment that never came are a day’s', () => {
  const four = [1, 1, 1, 1].map((day) => order('a', day));
  expect(advanceCents(four, new Map())).toBeCloseTo(100);
  expect(advanceCents([...four, order('a', 1)], new Map())).toBeCloseTo(100);
});

test('nothing is granted that was paid later, or was no advance', () => {
  expect(advanceCents([order('a', 1)], new Map([['a', 2 * DAY_MS]]))).toBe(0);
  expect(advanceCents([order('a', 1, false)], new Map())).toBe(0);
});

test('another plan’s advance for the same network account is granted after a year', () => {
  expect(advanceCents([order('a', 1), order('b', 300)], new Map())).toBeCloseTo(25);
  expect(advanceCents([order('a', 1), order('b', 366)], new Map())).toBeCloseTo(50);
});
