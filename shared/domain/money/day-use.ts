import { DAY_MS } from '#shared/domain/durations.ts';
import { fromLocal, toLocal } from '../time-zone.ts';

/** A local calendar day, counted from 1970-01-01 (day 0). Its zone goes with it. */
export type DayNumber = number;

/** The local day of an instant. */
export function dayOf(instantMs: number, timeZone: string): DayNumber {
  const { year, month, day } = toLocal(instantMs, timeZone);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** The first instant of a local day; where clocks skip midnight, the first one that exists. */
export function dayStart(day: DayNumber, timeZone: string): number {
  const date = new Date(day * DAY_MS);
  const local = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: 0,
    minute: 0,
    second: 0,
    millisecond: 0,
  };
  return fromLocal(local, timeZone);
}

/** A local day as "2026-11-21". */
export function dayName(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The local day named "2026-11-21". */
export function namedDay(name: string): DayNumber {
  return Date.parse(`${name}T00:00:00Z`) / DAY_MS;
}

interface DaySpan {
  fromMs: number;
  untilMs: number;
  /** The subscription's zone. */
  timeZone: string;
  /** Local days with an automatic order. */
  ordered: ReadonlySet<DayNumber>;
}

interface DayUse {
  /** Whole local days in the span. */
  days: number;
  /** Those without an automatic order, oldest first: the ones that can be given back. */
  unused: DayNumber[];
}

/**
 * How a span of a subscription's time was used: a whole local day with an automatic order is used, one
 * without isn't, and parts of days count as used (D5). Everything that gives time back asks here: plan
 * quotes, pauses, service credits and late payments.
 */
export function dayUse({ fromMs, untilMs, timeZone, ordered }: DaySpan): DayUse {
  const today = dayOf(fromMs, timeZone);
  const first = dayStart(today, timeZone) < fromMs ? today + 1 : today;
  const end = dayOf(untilMs, timeZone);
  const days = Math.max(0, end - first);
  const unused: DayNumber[] = [];
  for (let day = first; day < end; day += 1) if (!ordered.has(day)) unused.push(day);
  return { days, unused };
}

/** The first instant after the local day of `nowMs`. Today is used, so what is given back begins here. */
export function tomorrowStart(nowMs: number, timeZone: string): number {
  return dayStart(dayOf(nowMs, timeZone) + 1, timeZone);
}
