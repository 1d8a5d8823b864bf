import { expect, test } from 'vitest';
import { minutesAndSeconds, secondsLeft } from './promo-banner.tsx';

// Shows fact 4.03.
test('the countdown starts at 300 seconds and is shown as minutes:seconds', () => {
  const left = secondsLeft({ endsAtMs: 1_300_000, skewMs: 0 }, 1_000_000);
  expect(left).toBe(300);
  expect([300, 299, 60, 59, 0].map(minutesAndSeconds)).toEqual([
    '5:00',
    '4:59',
    '1:00',
    '0:59',
    '0:00',
  ]);
});

// Shows fact 4.02.
test('it reaches 0 and stays there', () => {
  const clock = { endsAtMs: 1_300_000, skewMs: 0 };
  expect([1_299_001, 1_300_000, 1_300_001, 9_999_999].map((at) => secondsLeft(clock, at))).toEqual([
    1, 0, 0, 0,
  ]);
});

test('the server’s clock counts, however wrong the browser’s is', () => {
  expect(secondsLeft({ endsAtMs: 1_300_000, skewMs: -3_600_000 }, 4_690_000)).toBe(210);
});
