import * as v from 'valibot';
import { expect, test } from 'vitest';
import { askedInstant } from './fields.ts';

test.each([
  ['2026-11-21T12:00:00Z', true],
  ['0001-01-01T00:00:00Z', true],
  ['0000-01-01T00:00:00Z', false],
  ['0001-01-01T00:00:00+14:00', false],
  ['9999-12-31T23:59:59-12:00', false],
  ['yesterday', false],
])('an instant of %s is one that Postgres knows too: %s', (at, isKnown) => {
  expect(v.is(askedInstant, at)).toBe(isKnown);
});
