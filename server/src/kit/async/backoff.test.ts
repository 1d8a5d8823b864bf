import { expect, test } from 'vitest';
import { backoffByAgeMs, backoffMs } from './backoff.ts';

const BACKOFF = { firstMs: 500, longestMs: 30_000 };

test('each failure doubles the wait, up to the longest, however many there are', () => {
  const waits = [1, 2, 3, 7, 8, 1000].map((failures) => backoffMs(failures, BACKOFF));
  expect(waits).toEqual([500, 1000, 2000, 30_000, 30_000, 30_000]);
});

test('by its age the wait doubles as well', () => {
  let ageMs = 0;
  const waits = Array.from({ length: 9 }, () => {
    const waitMs = backoffByAgeMs(ageMs, BACKOFF);
    ageMs += waitMs;
    return waitMs;
  });
  expect(waits).toEqual([500, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
