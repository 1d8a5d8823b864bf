import { expect, test } from 'vitest';
import { guessCountry } from './use-card-form.ts';

test.each([
  ['Europe/Berlin', ['en-US'], 'DE'],
  ['America/Chicago', ['de-DE'], 'US'],
  ['Pacific/Auckland', [], 'NZ'],
  ['America/Toronto', ['fr'], 'CA'],
])('in the zone %s, with the languages %j, it is %s', (zone, languages, country) => {
  expect(guessCountry(zone, languages)).toBe(country);
});

test.each([
  ['UTC', ['en', 'en-GB', 'en-US'], 'GB'],
  ['UTC', ['x', '', 'pt-PT'], 'US'],
  ['Asia/Kathmandu', ['ne-NP'], 'US'],
  ['no zone', [], 'US'],
])(
  'a zone of no country offered, %s, leaves it to the languages %j: %s',
  (zone, languages, country) => {
    expect(guessCountry(zone, languages)).toBe(country);
  },
);
