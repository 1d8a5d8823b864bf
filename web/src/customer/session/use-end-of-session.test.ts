import { expect, test } from 'vitest';
import { type EndOfPages, endWhenReleased } from './use-end-of-session.ts';

const ENDS: ReadonlyArray<EndOfPages | undefined> = [
  undefined,
  'logged_out',
  'session_ended',
  'ended_elsewhere',
];

test.each(ENDS)('a replica that another tab wipes is let go of, after %s too', (before) => {
  expect(endWhenReleased(before)).toBe('released');
});

test('whoever switches has their own replica wiped, and is led on once', () => {
  expect(endWhenReleased('switched')).toBe('switched');
});
