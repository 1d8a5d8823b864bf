import { fromLocal, toLocal } from '#shared/domain/time-zone.ts';

const DAY_MS = 86_400_000;
const LONGEST_PAUSE_MS = 180 * DAY_MS;

/** A day some days from now as a date field holds it, "2026-12-05", where the customer is. */
export function dayAfter(nowMs: number, timeZone: string, days: number): string {
  const { year, month, day } = toLocal(nowMs, timeZone);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}

/** When a pause until that day ends and when the next charge then is; undefined for a day too far or past. */
export function pauseEnd(
  day: string,
  nowMs: number,
  timeZone: string,
  nextBillingDate: string | null,
): { untilMs: number; nextChargeMs: number } | undefined {
  const [year, month, dayOfMonth] = day.split('-').map(Number);
  if (!year || !month || !dayOfMonth || nextBillingDate === null) return undefined;
  const now = toLocal(nowMs, timeZone);
  const untilMs = fromLocal({ ...now, year, month, day: dayOfMonth }, timeZone);
  const forMs = untilMs - nowMs;
  if (forMs <= 0 || forMs > LONGEST_PAUSE_MS) return undefined;
  const shift = Math.floor(forMs / DAY_MS);
  const next = toLocal(Date.parse(nextBillingDate), timeZone);
  return {
    untilMs,
    nextChargeMs: fromLocal({ ...next, day: next.day + shift }, timeZone),
  };
}
