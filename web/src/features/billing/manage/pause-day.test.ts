import { expect, test } from 'vitest';
import { pauseDays, pauseUntil } from './pause-option.tsx';

const nowMs = Date.parse('2026-11-22T12:00:00Z');
const next = '2026-12-21T09:00:00.000Z';
const dayOf = (ms = 0): string => new Date(ms).toISOString();

// Shows fact 2.60.
test('a pause lasts from tomorrow to the day chosen, and moves the next charge by its whole days', () => {
  const pause = pauseUntil('2026-12-01', nowMs, 'UTC', next);
  expect(dayOf(pause?.fromMs)).toBe('2026-11-23T00:00:00.000Z');
  expect(dayOf(pause?.untilMs)).toBe('2026-12-01T00:00:00.000Z');
  expect(dayOf(pause?.nextChargeMs)).toBe('2026-12-29T09:00:00.000Z');
});

test('a next charge that falls into the pause is made at its end', () => {
  const tonight = '2026-11-22T22:00:00.000Z';
  const pause = pauseUntil('2026-12-01', nowMs, 'UTC', tonight);
  expect(dayOf(pause?.nextChargeMs)).toBe('2026-12-01T00:00:00.000Z');
});

test.each(['', '2026-11-22', '2026-11-23', '2026-11-01', '2027-06-01', 'soon'])(
  'a pause until %j can not be asked for',
  (day) => {
    expect(pauseUntil(day, nowMs, 'UTC', next)).toBeUndefined();
  },
);

test('the days offered are those of the plan’s zone, and the last one is possible', () => {
  const lateInUtc = Date.parse('2026-11-30T20:00:00Z');
  expect(pauseDays(lateInUtc, 'UTC')).toMatchObject({ first: '2026-12-02' });
  const days = pauseDays(lateInUtc, 'Asia/Tokyo');
  expect(days).toEqual({ first: '2026-12-03', start: '2026-12-16', last: '2027-05-31' });
  expect(pauseUntil(days.last, lateInUtc, 'Asia/Tokyo', next)?.days).toHaveLength(180);
});
