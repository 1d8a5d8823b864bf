import { fromLocal, toLocal } from '../time-zone.ts';

/** "2026-10" */
export const REPORT_MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

const FIRST = { day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };

const two = (number: number): string => String(number).padStart(2, '0');

/** The month of an instant in a zone. */
export function reportMonthOf(atMs: number, timeZone: string): string {
  const { year, month } = toLocal(atMs, timeZone);
  return `${year}-${two(month)}`;
}

/** The day of an instant in a zone: "2026-10-31". */
export function dayOf(atMs: number, timeZone: string): string {
  return `${reportMonthOf(atMs, timeZone)}-${two(toLocal(atMs, timeZone).day)}`;
}

/** The month so many later, or earlier. */
export function monthsOn(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const months = year * 12 + number - 1 + by;
  return `${Math.floor(months / 12)}-${two((months % 12) + 1)}`;
}

/** When a month begins in a zone. */
export function monthStartMs(month: string, timeZone: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return fromLocal({ year, month: number, ...FIRST }, timeZone);
}

/** The days of a month. */
export function daysOf(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, nth) => `${month}-${two(nth + 1)}`);
}

/** "October 2026" */
export function monthInWords(month: string): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  return at.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}
