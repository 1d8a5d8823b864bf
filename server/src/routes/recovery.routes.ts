import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { BROWSER_COOKIE } from '#server/identity/sessions/known-browser.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import {
  changePassword,
  requestCode,
  verifyCode,
} from '#server/identity/recovery/recovery.service.ts';

/** Binds a recovery, and later its grant, to one browser. */
const COOKIE = 'ovation-recovery';

export function registerRecoveryRoutes(app: Hono, deps: Deps & { passwords: Passwords }): void {
  registerCall(app, CALLS.verifyUserAndSendEmail, deps, async ({ input, address, cookie }) => {
    const client = { address, browserToken: cookie(BROWSER_COOKIE) };
    const request = { email: input.email, formerToken: cookie(COOKIE), ...client };
    const { handle, token, maxAgeSeconds, isLong } = await requestCode(deps, request);
    return {
      data: null,
      message: 'Verification email sent.',
      extra: { otp: handle, codeLength: isLong ? LONG_CODE_LENGTH : CODE_LENGTH },
      cookies: [{ name: COOKIE, value: token, maxAgeSeconds }],
    };
  });

  registerCall(app, CALLS.verifyOtp, deps, async ({ input, address, cookie }) => {
    const { email, otp: code } = input;
    const grant = await verifyCode(deps, { email, code, address, token: cookie(COOKIE) });
    const { token: value, maxAgeSeconds } = grant;
    return {
      data: null,
      message: 'OTP Verified successfully!',
      cookies: [{ name: COOKIE, value, maxAgeSeconds }],
    };
  });

  registerCall(app, CALLS.changePassword, deps, async ({ input, session, address, cookie }) => {
    const client = { address, browserToken: cookie(BROWSER_COOKIE) };
    const change = { ...input, session, token: cookie(COOKIE), ...client };
    const browser = await changePassword(deps, change);
    return {
      data: null,
      message: 'Password changed successfully!',
      cookies: [{ name: COOKIE, value: '', maxAgeSeconds: 0 }, browser],
    };
  });
}
