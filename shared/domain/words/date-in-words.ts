const STYLES = {
  /** "December 22, 2026" */
  date: { dateStyle: 'long' },
  /** "Dec 22, 2026" */
  shortDate: { dateStyle: 'medium' },
  /** "Dec 22" */
  dayOfYear: { day: 'numeric', month: 'short' },
  /** "Dec 22, 2026, 3:35 PM" */
  shortTime: { dateStyle: 'medium', timeStyle: 'short' },
  /** "Dec 22, 3:35 PM" */
  timeOfYear: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  /** "Dec 22, 2026, 3:35:07 PM" */
  fullTime: { dateStyle: 'medium', timeStyle: 'medium' },
  /** "December" */
  month: { month: 'long' },
  /** "3:35 PM" */
  clock: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof STYLES;

/** Making a formatter takes 30 to 60 µs and using one takes 1, so each is kept. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The one formatter of dates and times; `locale` is one of `dateLocale`. */
export function formatInstant(
  instant: Date | number,
  style: DateStyle,
  timeZone: string,
  locale = 'en-US',
): string {
  const key = `${locale} ${style} ${timeZone}`;
  const kept = formatters.get(key);
  const formatter = kept ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  if (!kept) formatters.set(key, formatter);
  // The narrow space before AM and PM is in few fonts.
  return formatter.format(instant).replaceAll('\u{202f}', ' ');
}

/** A day in full, as emails and answers say it wherever they are read: "December 22, 2026". */
export function dateInWords(instant: Date | number, timeZone: string): string {
  return formatInstant(instant, 'date', timeZone);
}

/** English words in the order, and with the clock, of the region a browser speaks for. */
export function dateLocale(language: string | undefined): string {
  try {
    const { language: name, region } = new Intl.Locale(language ?? '').maximize();
    if (region === undefined || (name === 'en' && region === 'US')) return 'en-US';
    return `en-${region}`;
  } catch {
    return 'en-US';
  }
}
