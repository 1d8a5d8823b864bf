import { expect, test } from 'vitest';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { accountExample } from '#web/testing/examples.ts';
import { arithmeticSentence, plannedChangeOf, plannedSentence } from './plan-change-words.ts';

const quote = (changes: Partial<Quote>): Quote => ({
  quoteId: '',
  expiresAt: '',
  packageIndex: 4,
  price: 48,
  starts: 'now',
  totalToday: 48,
  periodDays: 30,
  unusedDays: 0,
  unused: 0,
  unpaidDays: 0,
  unpaid: 0,
  nextBillingDate: '2026-12-22T10:00:00.000Z',
  ...changes,
});

test.each([
  [{ unusedDays: 29, unused: 16.43 }, '$48.00 less $16.43 for 29 unused days of 30.'],
  [{ unusedDays: 1, unused: 0.56 }, '$48.00 less $0.56 for 1 unused day of 30.'],
  [{ unpaidDays: 2, unpaid: 1.14 }, '$48.00 plus $1.14 for 2 unpaid days of 30.'],
  [{}, '$48.00.'],
  [
    { price: 17.1, unusedDays: 30, unused: 17 },
    '$17.10 less $17.00 for 30 unused days of 30. The smallest card charge is $0.50.',
  ],
])('how today’s total comes about, %o', (changes, sentence) => {
  expect(arithmeticSentence(quote(changes))).toBe(sentence);
});

test('a planned change says its date, its price and its likes in the zone of the customer', () => {
  const account = accountExample({
    nextPackageId: 2,
    nextPackageFrom: '2026-12-21T23:30:00.000Z',
  });
  const planned = plannedChangeOf(account);
  if (!planned) throw new Error('Nothing is planned');
  expect(plannedSentence(planned, 'Europe/Berlin')).toBe(
    'Starting December 22, 2026, you pay $17.00 a month for 100 likes per post. Nothing changes until then.',
  );
  expect(plannedChangeOf(accountExample())).toBeUndefined();
});
