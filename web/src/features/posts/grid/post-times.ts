import { shortTime, timeOfYear } from '#web/ui/words/dates.ts';

/** Times of posts in a zone; making a formatter costs more than drawing a card, so they are kept. */
export interface PostTimes {
  /** "Nov 21, 2026, 10:10 AM" */
  posted: (instant: string) => string;
  /** The same without the year, when that is this one: "Nov 21, 10:10 AM" */
  postedInShort: (instant: string) => string;
  /** The local day, "2026-11-21". */
  day: (instant: string) => string;
}

export function postTimes(timeZone: string, nowMs: number): PostTimes {
  // Of all locales' short dates, Canada's is written year-month-day.
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone });
  const dayOf = (instantMs: number): string => day.format(instantMs);
  const thisYear = dayOf(nowMs).slice(0, 4);
  return {
    posted: (instant) => shortTime(Date.parse(instant), timeZone),
    postedInShort: (instant) => {
      const atMs = Date.parse(instant);
      return (dayOf(atMs).startsWith(thisYear) ? timeOfYear : shortTime)(atMs, timeZone);
    },
    day: (instant) => dayOf(Date.parse(instant)),
  };
}
