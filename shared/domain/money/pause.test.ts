import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueAt } from './billing-period.ts';
import { dayOf, dayStart } from './day-use.ts';
import { chargeAfterPause, PAUSE_DAYS_LIMIT, pauseBounds, planPause } from './pause.ts';

const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 0, 1) });
const days = fc.integer({ min: 1, max: PAUSE_DAYS_LIMIT });

test('a pause begins tomorrow and has whole days, whatever the time of day: milliseconds don’t count', () => {
  fc.assert(
    fc.property(
      instant,
      days,
      fc.integer({ min: 0, max: 22 * 3_600_000 }),
      zone,
      (nowMs, n, extraMs, timeZone) => {
        const untilDay = dayOf(nowMs, timeZone) + 1 + n;
        const pause = planPause(nowMs, dayStart(untilDay, timeZone) + extraMs, timeZone);
        expect(pause?.days).toHaveLength(n);
        expect(pause?.fromMs).toBe(dayStart(dayOf(nowMs, timeZone) + 1, timeZone));
        expect(pause?.untilMs).toBe(dayStart(untilDay, timeZone));
      },
    ),
  );
});

test('the dialog’s next charge is the server’s: the due date with so many days of shift', () => {
  fc.assert(
    fc.property(instant, instant, days, zone, (anchorMs, nowMs, n, timeZone) => {
      const untilMs = dayStart(dayOf(nowMs, timeZone) + 1 + n, timeZone);
      const pause = planPause(nowMs, untilMs, timeZone);
      if (!pause) throw new Error('within the bounds');
      const clock = { anchorMs, timeZone, shiftDays: 0 };
      const server = Math.max(untilMs, dueAt({ ...clock, shiftDays: n }, 1));
      const shown = chargeAfterPause(dueAt(clock, 1), pause, timeZone);
      expect(dayOf(shown, timeZone)).toBe(dayOf(server, timeZone));
    }),
  );
});

test('the days offered are possible, and those beside them aren’t', () => {
  fc.assert(
    fc.property(instant, zone, (nowMs, timeZone) => {
      const { firstDay, lastDay } = pauseBounds(nowMs, timeZone);
      const possible = (day: number): boolean =>
        planPause(nowMs, dayStart(day, timeZone), timeZone) !== undefined;
      expect([firstDay - 1, firstDay, lastDay, lastDay + 1].map(possible)).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }),
  );
});
