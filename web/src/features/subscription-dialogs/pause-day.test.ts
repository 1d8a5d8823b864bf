import { expect, test } from 'vitest';
import { dayAfter, pauseEnd } from './pause-day.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const next = '2026-12-21T09:00:00.000Z';

test('a pause moves the next charge by its whole days', () => {
  const end = pauseEnd('2026-12-01', nowMs, 'UTC', next);
  expect(new Date(end?.untilMs ?? 0).toISOString()).toBe('2026-12-01T12:00:00.000Z');
  expect(new Date(end?.nextChargeMs ?? 0).toISOString()).toBe('2026-12-31T09:00:00.000Z');
});

test.each(['', '2026-11-21', '2026-11-01', '2027-06-01', 'soon'])(
  'a pause until %j can not be asked for',
  (day) => {
    expect(pauseEnd(day, nowMs, 'UTC', next)).toBeUndefined();
  },
);

test('a day is counted where the customer is', () => {
  const lateInUtc = Date.parse('2026-11-30T20:00:00Z');
  expect(dayAfter(lateInUtc, 'UTC', 1)).toBe('2026-12-01');
  expect(dayAfter(lateInUtc, 'Asia/Tokyo', 1)).toBe('2026-12-02');
});
