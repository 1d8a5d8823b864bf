/** A day in full in the customer's zone: "November 21, 2026". */
export function formatDay(at: Date, timeZone: string): string {
  return at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone });
}
