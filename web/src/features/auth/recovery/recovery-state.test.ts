import { expect, test } from 'vitest';
import { readRecoveryState, recoveryStateOf } from './recovery-state.ts';

// Shows facts 4.12, 4.15.
test('the e-mail address and the opaque handle travel to the next page', () => {
  const state = recoveryStateOf('ada@example.com', { otp: 'a handle', codeLength: 6 });
  expect(readRecoveryState(structuredClone(state))).toEqual({
    email: 'ada@example.com',
    otp: 'a handle',
    codeLength: 6,
  });
});

test('the page that asks for the code knows that it is a longer one', () => {
  const state = recoveryStateOf('ada@example.com', { otp: 'a handle', codeLength: 8 });
  expect(readRecoveryState(structuredClone(state))).toMatchObject({ codeLength: 8 });
});

test.each([undefined, null, {}, { email: '' }, { email: 3 }, 'ada@example.com'])(
  'a page opened with %j in its state has no e-mail address',
  (state) => {
    expect(readRecoveryState(state)).toBeUndefined();
  },
);
