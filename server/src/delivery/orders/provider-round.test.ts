import { expect, test } from 'vitest';
import { seededBytes } from '#test/seeded.ts';
import { pausingWhileUnavailable, type ProviderRound, retryDelayMs } from './provider-round.ts';

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

test('pauses grow while the provider doesn’t answer, and are short again once it has', async () => {
  const outcomes: ProviderRound[] = ['unavailable', 'unavailable', 'again', 'unavailable'];
  // Nothing is left out of the pauses.
  const random = { bytes: (size: number) => Buffer.alloc(size) };
  const round = pausingWhileUnavailable({ random }, async () => outcomes.shift() ?? 'idle');
  const told = [await round(), await round(), await round(), await round(), await round()];
  expect(told).toEqual([{ idleMs: 500 }, { idleMs: 1000 }, 'again', { idleMs: 500 }, 'idle']);
});
