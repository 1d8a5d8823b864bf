import { shortTime } from '#web/components/dates.ts';
/** Times of posts in a zone; making a formatter costs more than drawing a card, so they are kept. */
export interface PostTimes {
  /** "Nov 21, 2026, 10:10 AM" */
  posted: (instant: string) => string;
  /** The local day, "2026-11-21". */
  day: (instant: string) => string;
}

export function postTimes(timeZone: string): PostTimes {
  // Of all locales' short dates, Canada's is written year-month-day.
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone });
  return {
    posted: (instant) => shortTime(Date.parse(instant), timeZone),
    day: (instant) => day.format(Date.parse(instant)),
  };
}
