import { expect, test } from 'vitest';
import { findUnservedDays, type UnservedSpan } from './unserved-days.ts';

const at = (instant: string): number => Date.parse(instant);
const span = (since: string, until: string, cause: UnservedSpan['cause'] = 'unreadable') => ({
  sinceMs: at(since),
  untilMs: at(until),
  cause,
});
const week = (timeZone = 'UTC') => ({
  fromMs: at('2026-11-20T00:00:00Z'),
  toMs: at('2026-11-27T00:00:00Z'),
  timeZone,
});

test('more than 12 hours of a local day count, 12 hours do not', () => {
  const half = span('2026-11-21T00:00:00Z', '2026-11-21T12:00:00Z');
  expect(findUnservedDays(week(), [half], [])).toEqual([]);
  const more = { ...half, untilMs: half.untilMs + 1 };
  expect(findUnservedDays(week(), [more], [])).toEqual([
    { localDay: '2026-11-21', cause: 'unreadable' },
  ]);
});

test('a night of 14 hours counts in the zone where it lies within one day', () => {
  const night = span('2026-11-21T17:00:00Z', '2026-11-22T07:00:00Z');
  expect(findUnservedDays(week('UTC'), [night], [])).toEqual([]);
  expect(findUnservedDays(week('Asia/Tokyo'), [night], [])).toEqual([
    { localDay: '2026-11-22', cause: 'unreadable' },
  ]);
});

test('spans at the same time count once, and the longest cause is named', () => {
  const spans = [
    span('2026-11-21T00:00:00Z', '2026-11-21T08:00:00Z', 'outage'),
    span('2026-11-21T02:00:00Z', '2026-11-21T10:00:00Z'),
  ];
  expect(findUnservedDays(week(), spans, [])).toEqual([]);
  const later = span('2026-11-21T12:00:00Z', '2026-11-21T14:30:00Z', 'unreachable');
  expect(findUnservedDays(week(), [...spans, later], [])).toEqual([
    { localDay: '2026-11-21', cause: 'outage' },
  ]);
});

test('a pause takes its time out of the day', () => {
  const day = span('2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z');
  const pause = span('2026-11-21T06:00:00Z', '2026-11-21T18:00:00Z');
  expect(findUnservedDays(week(), [day], [pause])).toEqual([]);
});

test('each day belongs to the one window in which it ends', () => {
  const always = { sinceMs: -Infinity, untilMs: Infinity, cause: 'unreadable' } as const;
  const days = (fromMs: number, toMs: number, timeZone: string): string[] =>
    findUnservedDays({ fromMs, toMs, timeZone }, [always], []).map(({ localDay }) => localDay);
  for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    const from = at('2026-10-20T00:00:00Z');
    const whole = days(from, from + 40 * 86_400_000, timeZone);
    const pieces: string[] = [];
    for (let hour = 0; hour < 40 * 24; hour += 1) {
      pieces.push(...days(from + hour * 3_600_000, from + (hour + 1) * 3_600_000, timeZone));
    }
    expect(pieces).toEqual(whole);
    expect(new Set(whole).size).toBe(40);
  }
});

test('a day without its hour of the clock change is judged whole', () => {
  // 8 March 2026 has 23 hours in New York: 00:00 is 05:00 UTC, the next midnight 04:00 UTC.
  const window = {
    fromMs: at('2026-03-08T05:00:00Z'),
    toMs: at('2026-03-09T04:00:00Z'),
    timeZone: 'America/New_York',
  };
  const long = span('2026-03-08T15:59:00Z', '2026-03-10T00:00:00Z');
  expect(findUnservedDays(window, [long], [])).toMatchObject([{ localDay: '2026-03-08' }]);
});
