/** A day in full in a zone, the same on page, in mails and answers: "21 December 2026". */
export function dateInWords(instant: Date | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(instant);
}
