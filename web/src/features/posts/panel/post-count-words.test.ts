import { expect, test } from 'vitest';
import { accountExample, unpaidAccount } from '#web/testing/examples.ts';
import { countInWords, isFirstReading } from './post-count-words.ts';

test('how many posts are shown is said with whether that is all of them', () => {
  expect(countInWords(601, 601, true, false)).toBe('601 posts');
  expect(countInWords(1, 1, true, false)).toBe('1 post');
  expect(countInWords(100, 100, false, false)).toBe('The newest 100 posts');
  expect(countInWords(3, 601, true, true)).toBe('3 of 601 posts match.');
  expect(countInWords(3, 200, false, true)).toBe('3 of 200 posts checked so far match.');
});

test('in a plan’s first minutes 100 posts are the newest ones, not all: older ones are being read', () => {
  const account = accountExample({ accountPackageSubsriptionDate: '2026-11-21T09:00:00.000Z' });
  const soon = Date.parse('2026-11-21T09:01:00.000Z');
  expect(isFirstReading(100, [account], soon)).toBe(true);
  expect(isFirstReading(100, [account], soon + 3_600_000)).toBe(false);
  expect(isFirstReading(60, [account], soon)).toBe(false);
  expect(isFirstReading(100, [unpaidAccount()], soon)).toBe(false);
});
