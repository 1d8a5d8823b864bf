import { expect, test } from 'vitest';
import { newPasswordErrors } from './new-password.ts';

const errorsOf = (password: string, confirmation = password) =>
  newPasswordErrors({ password, confirmation });

// Shows fact 5.09.
test('a new password has 8 to 128 characters, whatever they are', () => {
  const rule = { password: 'Password must be 8 to 128 characters.' };
  expect(errorsOf('')).toEqual(rule);
  expect(errorsOf('1234567')).toEqual(rule);
  expect(errorsOf('x'.repeat(129))).toEqual(rule);
  expect(errorsOf('12345678')).toEqual({});
  expect(errorsOf('x'.repeat(128))).toEqual({});
  expect(errorsOf('סיסמה ארוכה')).toEqual({});
  expect(errorsOf('😀'.repeat(8))).toEqual({});
});

test('new password and confirmation must be equal', () => {
  const mismatch = { confirmation: 'Passwords do not match.' };
  expect(errorsOf('correct horse', 'correct horse ')).toEqual(mismatch);
  expect(errorsOf('correct horse', '')).toEqual(mismatch);
});
