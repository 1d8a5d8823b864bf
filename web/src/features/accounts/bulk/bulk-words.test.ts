import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { cellOf, priceWords } from './bulk-words.ts';

test.each([
  ['Active', 'Stops on Dec 22, 2026'],
  ['Past due', 'Stops at once'],
] as const)('a plan that is %s is shown as it would be stopped: %s', (subscriptionState, after) => {
  const nextBillingDate = '2026-12-22T00:00:00.000Z';
  const account = accountExample({ subscriptionState, nextBillingDate, timeZone: 'UTC' });
  expect(cellOf({ kind: 'cancel' }, account, 'UTC').after).toBe(after);
});

test.each([
  [62, '$62.00 more a month'],
  [-20.5, '$20.50 less a month'],
])('a difference of %d dollars is %s', (month, words) => {
  expect(priceWords({ items: [], planned: 1, today: 0, month })).toBe(
    `Nothing is charged today. All these plans together then cost ${words}.`,
  );
});
