/** A date for a table, e.g. "21 Dec 2026". */
export function shortDate(instantMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  }).format(instantMs);
}

/** Date and time for a table, e.g. "21 Dec 2026, 14:02". */
export function shortTime(instantMs: number, timeZone: string): string {
  return `${shortDate(instantMs, timeZone)}, ${new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(instantMs)}`;
}
