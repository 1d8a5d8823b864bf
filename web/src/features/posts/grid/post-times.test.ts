import { expect, test } from 'vitest';
import { postTimes } from './post-times.ts';

test('a card leaves out the year that it is, by the local day', () => {
  const times = postTimes('Asia/Tokyo', Date.parse('2027-01-02T00:00:00.000Z'));
  expect(times.postedInShort('2026-12-31T15:10:00.000Z')).toBe('Jan 1, 12:10 AM');
  expect(times.postedInShort('2026-12-31T14:10:00.000Z')).toBe('Dec 31, 2026, 11:10 PM');
  expect(times.posted('2026-12-31T15:10:00.000Z')).toBe('Jan 1, 2027, 12:10 AM');
  expect(times.day('2026-12-31T15:10:00.000Z')).toBe('2027-01-01');
});
