import { expect, test } from 'vitest';
import { isDigestDue, nextDigestAt } from './alert-digest.ts';

const at = (instant: string): number => Date.parse(instant);
const next = (now: string, hour: number, timeZone: string, mailedOn: string | null = null) =>
  new Date(nextDigestAt(at(now), { hour, timeZone, mailedOn })).toISOString();

test('a mail is next due at its hour of the person’s own day, on another day than the last', () => {
  expect(next('2026-11-23T12:00:00Z', 8, 'UTC')).toBe('2026-11-24T08:00:00.000Z');
  expect(next('2026-11-23T12:00:00Z', 14, 'UTC')).toBe('2026-11-23T14:00:00.000Z');
  expect(next('2026-11-23T12:00:00Z', 14, 'UTC', '2026-11-23')).toBe('2026-11-24T14:00:00.000Z');
  expect(next('2026-11-23T12:00:00Z', 7, 'Asia/Tokyo')).toBe('2026-11-23T22:00:00.000Z');
});

test('where clocks skip the hour it is due right after, and where they repeat it once', () => {
  expect(next('2026-03-08T00:00:00Z', 2, 'America/New_York', '2026-03-07')).toBe(
    '2026-03-08T07:00:00.000Z',
  );
  const first = next('2026-11-01T04:00:00Z', 1, 'America/New_York');
  expect(first).toBe('2026-11-01T05:00:00.000Z');
  expect(next(first, 1, 'America/New_York', '2026-11-01')).toBe('2026-11-02T06:00:00.000Z');
});

test('it is due from its hour to the end of the day, unless the day had one', () => {
  const choice = { hour: 8, timeZone: 'UTC', mailedOn: null };
  expect(isDigestDue(at('2026-11-23T07:59:59Z'), choice)).toBe(false);
  expect(isDigestDue(at('2026-11-23T08:00:00Z'), choice)).toBe(true);
  expect(isDigestDue(at('2026-11-23T23:00:00Z'), { ...choice, mailedOn: '2026-11-22' })).toBe(true);
  expect(isDigestDue(at('2026-11-23T23:00:00Z'), { ...choice, mailedOn: '2026-11-23' })).toBe(
    false,
  );
});
