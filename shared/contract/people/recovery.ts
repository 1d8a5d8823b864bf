import * as v from 'valibot';
import {
  CODE_LENGTH,
  isCode,
  LONG_CODE_LENGTH,
  normalizeCode,
} from '../../domain/people/recovery-code.ts';
import { defineCall } from '../call.ts';
import { email, newPassword } from '../fields.ts';

const RECOVERY_EMAIL_RULE = 'Please enter a valid email address.';
export const CODE_RULE = 'Please enter a 6-digit OTP.';

export const verifyUserAndSendEmail = defineCall({
  method: 'POST',
  path: '/user/user/verifyUserAndSendEmail',
  encoding: 'form',
  session: 'none',
  summary: 'Emails a recovery code. The answer is the same whether or not the address is known.',
  input: v.object({ email: email(RECOVERY_EMAIL_RULE) }),
  data: v.null(),
  /** An opaque handle of the request, never the code (D3). */
  extra: v.object({
    otp: v.string(),
    /** Six digits, or eight letters and digits. */
    codeLength: v.picklist([CODE_LENGTH, LONG_CODE_LENGTH]),
  }),
  errors: ['rate_limited'],
});

export const verifyOtp = defineCall({
  method: 'POST',
  path: '/user/user/verify-otp',
  encoding: 'json',
  session: 'none',
  summary: 'Checks the code; success lets this browser set a new password.',
  input: v.object({
    email: email(RECOVERY_EMAIL_RULE),
    /** Six digits, or the eight letters and digits of a longer code. */
    otp: v.pipe(v.string(CODE_RULE), v.transform(normalizeCode), v.check(isCode, CODE_RULE)),
  }),
  data: v.null(),
  errors: ['wrong_code', 'rate_limited'],
});

export const changePassword = defineCall({
  method: 'POST',
  path: '/user/user/change-password',
  encoding: 'json',
  session: 'none',
  summary: 'Sets a new password after a verified code and ends every other session.',
  input: v.object({ email: email(RECOVERY_EMAIL_RULE), password: newPassword }),
  data: v.null(),
  errors: ['no_session', 'overloaded'],
});
