/** When figures are from: "As of 14:02." today, with the date on any other day. */
export function asOf(atMs: number, nowMs: number, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(atMs);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });
  if (day.format(atMs) === day.format(nowMs)) return `As of ${time}.`;
  return `As of ${day.format(atMs)}, ${time}.`;
}
