import { type DayNumber, dayOf, dayStart, dayUse } from './day-use.ts';
import { fromLocal, toLocal } from '../time-zone.ts';

export const PAUSE_DAYS_LIMIT = 180;
/** Pauses of one network account in any 365 days. */
export const PAUSES_LIMIT = 6;

export interface Pause {
  /** Tomorrow, 00:00 in the subscription's zone: today is used. */
  fromMs: number;
  /** 00:00 of the day on which likes begin again. */
  untilMs: number;
  /** Whole local days of the pause; those without an order move the due date. */
  days: DayNumber[];
}

/**
 * A pause asked for now, until the local day of `untilMs` in the subscription's zone (D5).
 * @returns undefined: the day is less than two days or more than 181 days ahead
 */
export function planPause(nowMs: number, untilMs: number, timeZone: string): Pause | undefined {
  const fromDay = dayOf(nowMs, timeZone) + 1;
  const untilDay = dayOf(untilMs, timeZone);
  const span = { fromMs: dayStart(fromDay, timeZone), untilMs: dayStart(untilDay, timeZone) };
  const { unused: days } = dayUse({ ...span, timeZone, ordered: new Set() });
  if (days.length < 1 || days.length > PAUSE_DAYS_LIMIT) return undefined;
  return { ...span, days };
}

/** The first and the last local day a pause asked for now may end on. */
export function pauseBounds(
  nowMs: number,
  timeZone: string,
): { firstDay: DayNumber; lastDay: DayNumber } {
  const today = dayOf(nowMs, timeZone);
  return { firstDay: today + 2, lastDay: today + 1 + PAUSE_DAYS_LIMIT };
}

/** The day a pause is suggested to end on: until the first possible one it lasts a day, until this one two weeks. */
export const suggestedEnd = (firstDay: DayNumber): DayNumber => firstDay + 13;

/** Of a day that `pauseBounds` doesn't hold. */
export const PAUSE_DAY_FAULT = `Please choose a day 2 to ${PAUSE_DAYS_LIMIT + 1} days from today`;

/** A due date moved by whole local days, at its own time of day. */
function movedByDays(dueMs: number, days: number, timeZone: string): number {
  const due = toLocal(dueMs, timeZone);
  return fromLocal({ ...due, day: due.day + days }, timeZone);
}

/** The next charge after a pause that moves the due date: never inside the pause, at its end at the soonest. */
export function chargeAfterPause(dueMs: number, pause: Pause, timeZone: string): number {
  return Math.max(pause.untilMs, movedByDays(dueMs, pause.days.length, timeZone));
}
