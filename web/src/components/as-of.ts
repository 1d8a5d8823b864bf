import { clock, shortDate, shortTime } from './dates.ts';

/** When figures are from: "As of 2:02 PM." today, with the date on any other day. */
export function asOf(atMs: number, nowMs: number, timeZone: string): string {
  const isToday = shortDate(atMs, timeZone) === shortDate(nowMs, timeZone);
  return `As of ${isToday ? clock(atMs, timeZone) : shortTime(atMs, timeZone)}.`;
}
