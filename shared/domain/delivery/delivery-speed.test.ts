import { expect, test } from 'vitest';
import { DELIVERY_SPEEDS, spreadMs } from './delivery-speed.ts';

// Shows fact 2.63.
test('the speeds are those of the specification', () => {
  expect(DELIVERY_SPEEDS).toEqual(['Instant', '30 Min', '1 Hour', '2 Hours', '3 Hours', '4 Hours']);
});

// Shows facts 1.05, 1.21.
test('Instant spreads over 0.6 s a like, at least 20 s, at most 10 minutes', () => {
  expect([1, 50, 1000, 10_000].map((likes) => spreadMs('Instant', likes) / 1000)).toEqual([
    20, 30, 600, 600,
  ]);
});

// Shows fact 2.64.
test('the others spread over the time they are named for, whatever the amount', () => {
  const minutes = DELIVERY_SPEEDS.slice(1).map((speed) => spreadMs(speed, 50) / 60_000);
  expect(minutes).toEqual([30, 60, 120, 180, 240]);
});
