import { expect, test } from 'vitest';
import { shiftReason } from './shift-reason.ts';

const day = (localDay: string, cause: 'unreadable' | 'unreachable' | 'outage' = 'unreadable') => ({
  localDay,
  cause,
});

test.each([
  [
    [day('2026-11-21')],
    '1 day of service credit: @ada couldn’t be read for more than 12 hours on November 21.',
  ],
  [
    [day('2026-11-20', 'outage'), day('2026-11-21', 'outage')],
    '2 days of service credit: our service was down for more than 12 hours on November 20 and November 21.',
  ],
  [
    [day('2026-11-20', 'unreachable'), day('2026-11-21')],
    '2 days of service credit: @ada couldn’t be served on November 20 and November 21.',
  ],
  [
    ['19', '20', '21', '22'].map((number) => day(`2026-11-${number}`)),
    '4 days of service credit: @ada couldn’t be read for more than 12 hours on each of 4 days from November 19 to November 22.',
  ],
])('%j is told in a sentence', (days, sentence) => {
  expect(shiftReason('ada', days)).toBe(sentence);
});
