import { expect, test } from 'vitest';
import { timeLeft } from './bank-words.ts';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const after = (ms: number): string => new Date(NOW + ms).toISOString();

test.each([
  [3_600_000, '60 minutes'],
  [3_599_999, '59 minutes'],
  [60_000, '1 minute'],
  [59_999, 'less than a minute'],
  [1, 'less than a minute'],
  [3_600_001, undefined],
  [0, undefined],
  [-1, undefined],
])('%d ms before its end a payment can be confirmed for %s', (ms, words) => {
  expect(timeLeft(after(ms), NOW)).toBe(words);
});
