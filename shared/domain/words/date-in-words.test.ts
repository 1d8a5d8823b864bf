import { expect, test } from 'vitest';
import { dateInWords, dateLocale, formatInstant } from './date-in-words.ts';

const AT = Date.parse('2026-12-22T20:35:07Z');

test.each([
  ['date', 'December 22, 2026'],
  ['shortDate', 'Dec 22, 2026'],
  ['dayOfYear', 'Dec 22'],
  ['shortTime', 'Dec 22, 2026, 3:35 PM'],
  ['fullTime', 'Dec 22, 2026, 3:35:07 PM'],
  ['clock', '3:35 PM'],
] as const)('%s in the United States is %s', (style, shown) => {
  expect(formatInstant(AT, style, 'America/New_York')).toBe(shown);
});

test('emails say the day in the zone of the plan', () => {
  expect(dateInWords(AT, 'Asia/Tokyo')).toBe('December 23, 2026');
});

test.each([
  ['en-GB', '22 December 2026', '20:35'],
  ['de-DE', '22 December 2026', '20:35'],
  ['en-US', 'December 22, 2026', '8:35 PM'],
  ['de', '22 December 2026', '20:35'],
])('a browser that speaks %s reads %s and %s', (language, day, clock) => {
  const locale = dateLocale(language);
  expect(formatInstant(AT, 'date', 'UTC', locale)).toBe(day);
  expect(formatInstant(AT, 'clock', 'UTC', locale)).toBe(clock);
});

test.each(['en', '', 'not a language', undefined])('%s is read as American', (language) => {
  expect(dateLocale(language)).toBe('en-US');
});
