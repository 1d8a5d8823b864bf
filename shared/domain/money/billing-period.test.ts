import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { type BillingClock, dueAt } from './billing-period.ts';

const clock = (anchor: string, timeZone = 'UTC', shiftDays = 0): BillingClock => ({
  anchorMs: Date.parse(anchor),
  timeZone,
  shiftDays,
});
const iso = (ms: number): string => new Date(ms).toISOString();
const dates = (from: BillingClock, count: number): string[] =>
  Array.from({ length: count }, (_, n) => iso(dueAt(from, n + 1)).slice(0, 10));

// Shows facts 2.81, 4.18.
test('31 January is followed by the last day of February and then by 31 March', () => {
  expect(dates(clock('2026-01-31T10:00:00Z'), 4)).toEqual([
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
  ]);
  expect(dates(clock('2028-01-31T10:00:00Z'), 1)).toEqual(['2028-02-29']);
});

test('a subscription begun on 29 February renews on the 29th, and on the 28th in common years', () => {
  const due = dates(clock('2028-02-29T10:00:00Z'), 24);
  expect(due[0]).toBe('2028-03-29');
  expect(due[11]).toBe('2029-02-28');
  expect(due[12]).toBe('2029-03-29');
});

test('the due date 0 is the anchor, to the millisecond', () => {
  const anchor = '2026-07-14T21:22:23.456Z';
  expect(iso(dueAt(clock(anchor, 'Asia/Tokyo'), 0))).toBe(anchor);
});

test('the day is the customer’s, not the one in UTC', () => {
  // 31 January 01:30 in Auckland is 30 January in UTC.
  const auckland = clock('2026-01-30T12:30:00Z', 'Pacific/Auckland');
  expect(iso(dueAt(auckland, 1))).toBe('2026-02-27T12:30:00.000Z');
  expect(iso(dueAt(auckland, 2))).toBe('2026-03-30T12:30:00.000Z');
});

test('the local time of day stays when the clocks change, and a missing one comes later by the gap', () => {
  const newYork = clock('2026-02-08T07:30:00Z', 'America/New_York'); // 02:30
  expect(iso(dueAt(newYork, 1))).toBe('2026-03-08T07:30:00.000Z'); // 02:30 is missing: 03:30
  expect(iso(dueAt(newYork, 2))).toBe('2026-04-08T06:30:00.000Z'); // 02:30 again
  const twice = clock('2026-10-01T05:30:00Z', 'America/New_York'); // 01:30
  expect(iso(dueAt(twice, 1))).toBe('2026-11-01T05:30:00.000Z'); // 01:30 exists twice: the first
});

test('shift days move every later due date, after clamping', () => {
  expect(dates(clock('2026-01-31T10:00:00Z', 'UTC', 2), 2)).toEqual(['2026-03-02', '2026-04-02']);
});

/** Offsets of a zone over the years, found by asking hour by hour, read from "GMT+05:45". */
function offsetsOf(timeZone: string, fromMs: number, toMs: number) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetMs = (instantMs: number): number => {
    const name = format.format(instantMs);
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? [];
    const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
    return sign === '-' ? -size : size;
  };
  const spans = [{ startMs: -Infinity, offsetMs: offsetMs(fromMs) }];
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    if (offsetMs(dayMs) === offsetMs(dayMs + DAY_MS)) continue;
    for (let atMs = dayMs; atMs < dayMs + DAY_MS; atMs += HOUR_MS / 4) {
      const next = offsetMs(atMs + HOUR_MS / 4);
      if (next !== offsetMs(atMs)) spans.push({ startMs: atMs + HOUR_MS / 4, offsetMs: next });
    }
  }
  return spans;
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const lengthOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);

/** The days from 1970 to the first of each month until 2040, counted month by month. */
const FIRSTS: number[] = [];
for (let [year, days] = [1970, 0]; year < 2040; year += 1) {
  for (let month = 1; month <= 12; month += 1) {
    FIRSTS.push(days);
    days += lengthOf(year, month);
  }
}
/** A civil date's days since 1970. */
const dayNumber = (year: number, month: number, day: number): number =>
  (FIRSTS[(year - 1970) * 12 + month - 1] ?? 0) + day - 1;
/** The instant of a wall time by walking the zone's spans; the earlier one, or later by the gap. */
function instantOf(wallMs: number, spans: ReturnType<typeof offsetsOf>): number {
  const index = spans.findIndex(
    ({ offsetMs }, each) => wallMs - offsetMs < (spans[each + 1]?.startMs ?? Infinity),
  );
  const span = spans[index];
  const isInGap = span !== undefined && wallMs - span.offsetMs < span.startMs;
  return wallMs - ((isInGap ? spans[index - 1] : span)?.offsetMs ?? 0);
}

const ZONES = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'Europe/London',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];

/** Each zone begins a day later, so that every start day is some zone's; 1 for every day in each of them. */
const STARTS_EVERY = Number(process.env['STARTS_EVERY'] ?? 7);

test('start days of three years x 36 renewals in 8 zones agree with a count by hand', () => {
  const wrong: string[] = [];
  const starts = new Set<number>();
  let checked = 0;
  for (const [nth, timeZone] of ZONES.entries()) {
    const spans = offsetsOf(timeZone, Date.UTC(2027, 11, 1), Date.UTC(2034, 6, 1));
    let [year, month, day] = [2028, 1, 1];
    for (let start = 0; start < 1096; start += 1) {
      const renewals = start % STARTS_EVERY === nth % STARTS_EVERY ? 36 : 0;
      // Every quarter of an hour of a day comes round, those inside clock changes included.
      const timeMs = ((start * 37) % 96) * (HOUR_MS / 4);
      const anchorMs = instantOf(dayNumber(year, month, day) * DAY_MS + timeMs, spans);
      const shiftDays = start % 5;
      const localMs = anchorMs + (spans.findLast((s) => s.startMs <= anchorMs)?.offsetMs ?? 0);
      const localTimeMs = localMs - Math.floor(localMs / DAY_MS) * DAY_MS;
      let [dueYear, dueMonth] = [year, month];
      for (let n = 1; n <= renewals; n += 1) {
        dueMonth += 1;
        if (dueMonth === 13) [dueYear, dueMonth] = [dueYear + 1, 1];
        const dueDay = Math.min(day, lengthOf(dueYear, dueMonth));
        const dueDayNumber = dayNumber(dueYear, dueMonth, dueDay) + shiftDays;
        const expected = instantOf(dueDayNumber * DAY_MS + localTimeMs, spans);
        const actual = dueAt({ anchorMs, timeZone, shiftDays }, n);
        if (actual !== expected && wrong.length < 5) {
          wrong.push(`${timeZone} ${iso(anchorMs)} +${n}: ${iso(actual)} not ${iso(expected)}`);
        }
        checked += 1;
        starts.add(start);
      }
      day += 1;
      if (day > lengthOf(year, month)) [month, day] = [month + 1, 1];
      if (month === 13) [year, month] = [year + 1, 1];
    }
  }
  expect(wrong).toEqual([]);
  expect(starts.size).toBe(1096);
  expect(checked).toBeGreaterThanOrEqual(36 * 8 * Math.floor(1096 / STARTS_EVERY));
});
