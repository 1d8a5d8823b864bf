/** Times of posts in a zone; making a formatter costs more than drawing a card, so they are kept. */
export interface PostTimes {
  /** "21 Nov 2026, 10:10" */
  posted: (instant: string) => string;
  /** The local day, "2026-11-21". */
  day: (instant: string) => string;
}

export function postTimes(timeZone: string): PostTimes {
  const posted = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  // Of all locales' short dates, Canada's is written year-month-day.
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone });
  return {
    posted: (instant) => posted.format(Date.parse(instant)),
    day: (instant) => day.format(Date.parse(instant)),
  };
}
