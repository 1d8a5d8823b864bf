import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstUnpaidDay, POSTS_IN_ADVANCE, postsInAdvance } from './unpaid-posts.ts';

test('the due day is the first unpaid one, and the day before a pause that has moved it', () => {
  expect(firstUnpaidDay(100, new Set())).toBe(100);
  // Asked for on day 90 for ten days: the due day has moved from 90 to 100.
  const paused = new Set(Array.from({ length: 10 }, (_, nr) => 91 + nr));
  expect(firstUnpaidDay(100, paused)).toBe(90);
  expect(firstUnpaidDay(101, paused)).toBe(101);
  // A day given back in the middle of the month.
  expect(firstUnpaidDay(100, new Set([80]))).toBe(100);
});

test('however its days are given back, a month serves the days it costs', () => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, fc.integer({ min: 28, max: 31 }), (paused, periodDays) => {
      const given = new Set(paused.toSorted((a, b) => a - b).filter((day) => day > 0));
      const first = firstUnpaidDay(periodDays + given.size, given);
      const served = Array.from({ length: first }, (_, day) => day).filter(
        (day) => !given.has(day),
      );
      expect(served.length).toBe(periodDays);
    }),
  );
});

test('months bought one after the other are served for what they cost, and one day in advance', () => {
  const day = fc.integer({ min: 0, max: 4 });
  const bought = fc.record({ months: fc.integer({ min: 1, max: 3 }), isStopping: fc.boolean() });
  fc.assert(
    fc.property(fc.array(day, { minLength: 94, maxLength: 94 }), bought, (wanted, plan) => {
      const paidDays = 31 * plan.months;
      const onFirstDay = wanted[0] ?? 0;
      let onUnpaidDays = 0;
      const mostInAdvance = plan.isStopping ? 0 : POSTS_IN_ADVANCE;
      const paid = wanted.slice(0, paidDays).reduce((sum, posts) => sum + posts, 0);
      for (const posts of wanted.slice(paidDays)) {
        for (let nr = 0; nr < posts; nr += 1) {
          if (postsInAdvance({ onFirstDay, onUnpaidDays }) < mostInAdvance) onUnpaidDays += 1;
        }
      }
      expect(paid + onUnpaidDays).toBeLessThanOrEqual(4 * paidDays + mostInAdvance);
    }),
  );
});
