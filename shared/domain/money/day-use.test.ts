import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { dayName, dayOf, dayStart, dayUse, namedDay, tomorrowStart } from './day-use.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Santiago',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2030, 0, 1) });
const NONE: ReadonlySet<number> = new Set();

test('a day begins at its first instant, and the instant before belongs to the day before', () => {
  fc.assert(
    fc.property(instant, zone, (atMs, timeZone) => {
      const day = dayOf(atMs, timeZone);
      const startMs = dayStart(day, timeZone);
      expect(startMs).toBeLessThanOrEqual(atMs);
      expect(dayOf(startMs, timeZone)).toBe(day);
      expect(dayOf(startMs - 1, timeZone)).toBe(day - 1);
      expect(namedDay(dayName(day))).toBe(day);
      expect(tomorrowStart(atMs, timeZone)).toBe(dayStart(day + 1, timeZone));
    }),
  );
});

test('a span counts its whole days: what is cut in pieces never gives more than the whole', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 40 * 24 * HOUR_MS }), { maxLength: 12 });
  fc.assert(
    fc.property(instant, lengths, zone, (fromMs, pieces, timeZone) => {
      let atMs = fromMs;
      let inPieces = 0;
      for (const pieceMs of pieces) {
        const piece = dayUse({ fromMs: atMs, untilMs: atMs + pieceMs, timeZone, ordered: NONE });
        inPieces += piece.unused.length;
        atMs += pieceMs;
      }
      const whole = dayUse({ fromMs, untilMs: atMs, timeZone, ordered: NONE });
      expect(inPieces).toBeLessThanOrEqual(whole.days);
      // No day is longer than 25 hours or shorter than 23.
      expect(whole.days * 23 * HOUR_MS).toBeLessThanOrEqual(atMs - fromMs);
      expect((whole.days + 2) * 25 * HOUR_MS).toBeGreaterThan(atMs - fromMs);
    }),
  );
});

test('a day with an order is used, and only that day', () => {
  const marks = fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 10 });
  fc.assert(
    fc.property(instant, marks, zone, (fromMs, offsets, timeZone) => {
      const firstDay = dayOf(fromMs, timeZone);
      const ordered = new Set(offsets.map((offset) => firstDay + offset));
      const untilMs = dayStart(firstDay + 30, timeZone);
      const use = dayUse({ fromMs, untilMs, timeZone, ordered });
      const all = dayUse({ fromMs, untilMs, timeZone, ordered: NONE });
      expect(use.days).toBe(all.days);
      expect(use.unused).toEqual(all.unused.filter((day) => !ordered.has(day)));
    }),
  );
});

test('an hour without service is no day, and half an hour of service a day is no pause', () => {
  const timeZone = 'America/New_York';
  const fromMs = Date.UTC(2026, 10, 22, 17);
  expect(dayUse({ fromMs, untilMs: fromMs + HOUR_MS, timeZone, ordered: NONE }).days).toBe(0);
  expect(dayUse({ fromMs, untilMs: fromMs + 23.5 * HOUR_MS, timeZone, ordered: NONE }).days).toBe(
    0,
  );
});

test('on the nights the clocks change a day is one day', () => {
  const timeZone = 'America/New_York';
  const day = namedDay('2026-03-08');
  const span = { fromMs: dayStart(day, timeZone), untilMs: dayStart(day + 1, timeZone) };
  expect(span.untilMs - span.fromMs).toBe(23 * HOUR_MS);
  expect(dayUse({ ...span, timeZone, ordered: NONE })).toEqual({ days: 1, unused: [day] });
});

test('a span that ends before it begins has no days', () => {
  const fromMs = Date.UTC(2026, 10, 22);
  expect(dayUse({ fromMs, untilMs: fromMs - 1, timeZone: 'UTC', ordered: NONE })).toEqual({
    days: 0,
    unused: [],
  });
});
