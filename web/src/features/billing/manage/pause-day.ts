import { type DayNumber, dayName, dayStart, namedDay } from '#shared/domain/day-use.ts';
import { chargeAfterPause, type Pause, pauseBounds, planPause } from '#shared/domain/pause.ts';

/** The first and the last day a date field takes, and the one it begins with: a pause of two weeks. */
export function pauseDays(
  nowMs: number,
  timeZone: string,
): Record<'first' | 'start' | 'last', string> {
  const { firstDay, lastDay } = pauseBounds(nowMs, timeZone);
  const TWO_WEEKS: DayNumber = 13;
  return {
    first: dayName(firstDay),
    start: dayName(firstDay + TWO_WEEKS),
    last: dayName(lastDay),
  };
}

/** A pause until that day and the charge after it, as the server computes them; undefined: not possible. */
export function pauseUntil(
  day: string,
  nowMs: number,
  timeZone: string,
  nextBillingDate: string | null,
): (Pause & { nextChargeMs: number }) | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || nextBillingDate === null) return undefined;
  const pause = planPause(nowMs, dayStart(namedDay(day), timeZone), timeZone);
  if (!pause) return undefined;
  return {
    ...pause,
    nextChargeMs: chargeAfterPause(Date.parse(nextBillingDate), pause, timeZone),
  };
}
