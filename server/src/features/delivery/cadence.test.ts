import { expect, test } from 'vitest';
import { seededBytes } from '#test/seeded.ts';
import { nextPollAt, retryDelayMs } from './cadence.ts';

const start = new Date('2026-11-20T12:00:00Z');
const spread = (minutes: number) => ({
  start_at: start,
  finish_by: new Date(start.getTime() + minutes * 60_000),
});
const pauseMs = (minutes: number): number =>
  nextPollAt(spread(minutes), start).getTime() - start.getTime();

test('a short order is asked for every 2 s, a long one less often, none less than every 30 s', () => {
  expect([1, 10, 30, 60, 150, 240].map(pauseMs)).toEqual([
    2000, 2000, 6000, 12_000, 30_000, 30_000,
  ]);
});

test('an order that begins later is asked for when it begins', () => {
  const before = new Date(start.getTime() - 60_000);
  expect(nextPollAt(spread(10), before)).toEqual(start);
});

test('an order long past its end is still asked for, once a minute', () => {
  const at = new Date(start.getTime() + 50 * 60_000);
  expect(nextPollAt(spread(10), at).getTime() - at.getTime()).toBe(60_000);
});

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
