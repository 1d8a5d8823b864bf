import { expect, test } from 'vitest';
import { asOf } from './stale-notice.tsx';
import { countInWords } from '#web/features/posts/panel/post-count-words.ts';

test('figures of today say the time, older ones the date too', () => {
  const now = Date.parse('2026-11-21T20:00:00.000Z');
  expect(asOf(Date.parse('2026-11-21T13:02:40.000Z'), now, 'Europe/Berlin')).toBe('As of 2:02 PM.');
  expect(asOf(Date.parse('2026-11-20T13:02:40.000Z'), now, 'UTC')).toBe(
    'As of Nov 20, 2026, 1:02 PM.',
  );
});

test('a count says whether it is all', () => {
  expect([
    countInWords(1, 1, true, false),
    countInWords(200, 200, false, false),
    countInWords(12, 2000, true, true),
    countInWords(3, 400, false, true),
  ]).toEqual([
    '1 post',
    'The newest 200 posts',
    '12 of 2,000 posts match.',
    '3 of 400 posts checked so far match.',
  ]);
});
