import { expect, test } from 'vitest';
import { asOf } from './stale-notice.tsx';

test('figures of today say the time, older ones the date too', () => {
  const now = Date.parse('2026-11-21T20:00:00.000Z');
  expect(asOf(Date.parse('2026-11-21T13:02:40.000Z'), now, 'Europe/Berlin')).toBe('As of 2:02 PM.');
  expect(asOf(Date.parse('2026-11-20T13:02:40.000Z'), now, 'UTC')).toBe(
    'As of Nov 20, 2026, 1:02 PM.',
  );
});
