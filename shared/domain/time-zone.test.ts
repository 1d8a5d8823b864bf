import { expect, test } from 'vitest';
import { fromLocal, isTimeZone, localDay, toLocal } from './time-zone.ts';

const local = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute, second: 0, millisecond: 0 };
};
const instant = (text: string, zone: string): string =>
  new Date(fromLocal(local(text), zone)).toISOString();

test('IANA names are time zones, anything else is none', () => {
  const names = ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'];
  expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
  const others = ['', ' UTC', 'Mars/Olympus', '+05:30', '05:30', 'Europe/', 'a'.repeat(60)];
  expect(others.filter(isTimeZone)).toEqual([]);
});

test('an instant is read as the zone’s clock shows it', () => {
  expect(toLocal(Date.parse('2026-03-29T00:59:59.999Z'), 'Europe/Berlin')).toEqual({
    year: 2026,
    month: 3,
    day: 29,
    hour: 1,
    minute: 59,
    second: 59,
    millisecond: 999,
  });
  expect(toLocal(Date.parse('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toMatchObject({ hour: 3 });
  expect(toLocal(Date.parse('2026-11-20T00:00:00Z'), 'UTC')).toMatchObject({ day: 20, hour: 0 });
});

test('a local time that is skipped becomes later by the gap', () => {
  expect(instant('2026-03-29 02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(instant('2026-10-04 02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
});

test('of a local time that comes twice the earlier is meant', () => {
  expect(instant('2026-10-25 02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
});

test('a day the zone left out altogether is the day after', () => {
  // Samoa crossed the date line: 30 December 2011 never was.
  expect(instant('2011-12-30 12:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00.000Z');
});

test('days and months beyond their ends carry over', () => {
  expect(instant('2026-02-30 12:00', 'UTC')).toBe('2026-03-02T12:00:00.000Z');
  expect(instant('2026-12-32 12:00', 'Asia/Kathmandu')).toBe('2027-01-01T06:15:00.000Z');
});

test('the local day is the zone’s own', () => {
  const lateInLondon = Date.parse('2026-11-20T23:30:00Z');
  expect(localDay(lateInLondon, 'Europe/London')).toBe('2026-11-20');
  expect(localDay(lateInLondon, 'Pacific/Auckland')).toBe('2026-11-21');
});
