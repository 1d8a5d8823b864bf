import { expect, test } from 'vitest';
import { seededBytes } from '#test/seeded.ts';
import { retryDelayMs } from './provider-round.ts';

test('retries double up to ten seconds and are spread over half of the time', () => {
  const random = seededBytes(7);
  for (const [failures, mostMs] of [
    [1, 500],
    [2, 1000],
    [5, 8000],
    [9, 10_000],
    [100, 10_000],
  ] as const) {
    const delays = Array.from({ length: 50 }, () => retryDelayMs(failures, random));
    expect(Math.max(...delays)).toBeLessThanOrEqual(mostMs);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(mostMs / 2);
    expect(new Set(delays).size).toBeGreaterThan(30);
  }
});
