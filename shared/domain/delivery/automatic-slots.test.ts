import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { nextSlot, type TakenSlot } from './automatic-slots.ts';
import { findTimeZone, localDay } from '../time-zone.ts';

const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const start = Date.UTC(2026, 10, 20);

test('no local day of a subscription’s own zone has more than four, and no slot is given twice', () => {
  const posts = fc.array(
    fc.record({ hours: fc.integer({ min: 0, max: 96 }), zone: fc.constantFrom(...ZONES) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(posts, (made) => {
      const taken: TakenSlot[] = [];
      for (const { hours, zone: timeZone } of made) {
        const postedAtMs = start + hours * HOUR_MS;
        const slot = nextSlot(postedAtMs, timeZone, taken);
        if (slot === undefined) continue;
        taken.push({ localDay: localDay(postedAtMs, timeZone), slot, timeZone, postedAtMs });
      }
      const keys = taken.map((one) => `${one.localDay} ${one.slot}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const zone of new Set(taken.map(({ timeZone }) => timeZone))) {
        const own = taken.filter(({ timeZone }) => timeZone === zone);
        const byDay = Map.groupBy(own, (one) => one.localDay);
        for (const day of byDay.values()) expect(day.length).toBeLessThanOrEqual(4);
      }
    }),
  );
});

test('in one zone the first four posts of a day get the slots 1 to 4', () => {
  const taken: TakenSlot[] = [];
  const slots = [1, 2, 3, 4, 5].map((hour) => {
    const postedAtMs = start + hour * HOUR_MS;
    const slot = nextSlot(postedAtMs, 'UTC', taken);
    if (slot) taken.push({ localDay: '2026-11-20', slot, timeZone: 'UTC', postedAtMs });
    return slot;
  });
  expect(slots).toEqual([1, 2, 3, 4, undefined]);
});

test('another zone gains nothing: the four of a day count in its day too', () => {
  const taken = [1, 2, 3, 4].map((slot) => ({
    localDay: '2026-11-20',
    slot,
    timeZone: 'UTC',
    postedAtMs: start + slot * HOUR_MS,
  }));
  expect(nextSlot(start + 6 * HOUR_MS, 'Pacific/Kiritimati', taken)).toBeUndefined();
  expect(nextSlot(start + 25 * HOUR_MS, 'UTC', taken)).toBe(1);
});

test.each([
  ['New York', 'America/New_York'],
  ['new york ', 'America/New_York'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Atlantis', undefined],
])('a time zone is found by %j', (text, zone) => {
  expect(findTimeZone(text, Intl.supportedValuesOf('timeZone'))).toBe(zone);
});
