import { dateLocale, type DateStyle, formatInstant } from '#shared/domain/words/date-in-words.ts';

/** Of this browser; a page built ahead has none yet and is American. */
const LOCALE = dateLocale(globalThis.navigator?.language);

const inStyle =
  (style: DateStyle) =>
  (instant: Date | number, timeZone: string): string =>
    formatInstant(instant, style, timeZone, LOCALE);

/** "December 22, 2026" */
export const dateInWords = inStyle('date');
/** "Dec 22, 2026" */
export const shortDate = inStyle('shortDate');
/** "Dec 22" */
export const dayOfYear = inStyle('dayOfYear');
/** "Dec 22, 2026, 3:35 PM" */
export const shortTime = inStyle('shortTime');
/** "Dec 22, 3:35 PM" */
export const timeOfYear = inStyle('timeOfYear');
/** "Dec 22, 2026, 3:35:07 PM" */
export const fullTime = inStyle('fullTime');
/** "3:35 PM" */
export const clock = inStyle('clock');
