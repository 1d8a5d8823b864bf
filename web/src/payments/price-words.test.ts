import { dateInWords } from '#web/ui/words/dates.ts';
import { expect, test } from 'vitest';
import { chargeSentence, nextChargeMs, ordinal } from './price-words.ts';

test('days are said as people say them', () => {
  const days = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30, 31].map(ordinal);
  expect(days.join(' ')).toBe('1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 30th 31st');
});

test('the charge is said in one sentence, in the zone of the customer', () => {
  const lateEvening = Date.parse('2026-11-21T23:30:00Z');
  expect(chargeSentence(2400, lateEvening, 'UTC')).toBe(
    'You pay $24.00 now, then $24.00 on the 21st of each month.',
  );
  expect(chargeSentence(2400, lateEvening, 'Europe/Berlin')).toContain('on the 22nd');
});

test('the end of a month says what happens in shorter ones', () => {
  const lastOfJanuary = Date.parse('2027-01-31T12:00:00Z');
  expect(chargeSentence(999, lastOfJanuary, 'UTC')).toBe(
    'You pay $9.99 now, then $9.99 on the 31st of each month, or on the last day of a shorter month.',
  );
  expect(dateInWords(nextChargeMs(lastOfJanuary, 'UTC'), 'UTC')).toBe('February 28, 2027');
});
