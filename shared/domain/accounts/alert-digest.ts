import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { type DayNumber, dayOf, namedDay } from '../money/day-use.ts';
import { fromLocal } from '../time-zone.ts';

/** What happened this shortly before a mail may not be written yet: the next one tells it. */
export const DIGEST_LAG_MS = MINUTE_MS;

/** The instant of an hour of a local day; where clocks skip it, the first one after. */
function hourOf(day: DayNumber, hour: number, timeZone: string): number {
  const date = new Date(day * DAY_MS);
  return fromLocal(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour,
      minute: 0,
      second: 0,
      millisecond: 0,
    },
    timeZone,
  );
}

interface DigestChoice {
  /** Of the person's day. */
  hour: number;
  timeZone: string;
  /** Their day of the last mail: "2026-11-23"; null: none yet. */
  mailedOn: string | null;
}

/** Whether their hour of today has come, and today has had no mail. */
export function isDigestDue(nowMs: number, { hour, timeZone, mailedOn }: DigestChoice): boolean {
  const today = dayOf(nowMs, timeZone);
  const isToldToday = mailedOn !== null && namedDay(mailedOn) >= today;
  return !isToldToday && hourOf(today, hour, timeZone) <= nowMs;
}

/** The next time that it can be due, later than now. */
export function nextDigestAt(nowMs: number, { hour, timeZone, mailedOn }: DigestChoice): number {
  const today = dayOf(nowMs, timeZone);
  const first = mailedOn !== null && namedDay(mailedOn) >= today ? today + 1 : today;
  const at = hourOf(first, hour, timeZone);
  return at > nowMs ? at : hourOf(first + 1, hour, timeZone);
}
