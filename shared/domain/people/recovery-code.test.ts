import { expect, test } from 'vitest';
import { isCode, normalizeCode } from './recovery-code.ts';

test.each([
  ['482910', '482910'],
  [' 482 910', '482910'],
  ['k7qm-2xr9', 'K7QM2XR9'],
  ['oil4ABCD', '0114ABCD'],
])('%j is the code %s', (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
  expect(isCode(code)).toBe(true);
});

test.each(['', '48291', '4829107', 'K7QM2X', 'K7QM2XR', 'K7QM2XRU', '482910777'])(
  '%j is none',
  (typed) => {
    expect(isCode(normalizeCode(typed))).toBe(false);
  },
);
