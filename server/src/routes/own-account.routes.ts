import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import { endDevice, listDevices } from '#server/identity/sessions/devices.service.ts';
import { exportData } from '#server/use-cases/customers/export-data.service.ts';
import { updatePassword, updateProfile } from '#server/identity/users/own-account.service.ts';
import { BROWSER_COOKIE } from '#server/identity/sessions/known-browser.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { viewUser } from '#server/read-model/users.service.ts';

export function registerOwnAccountRoutes(app: Hono, deps: Deps & { passwords: Passwords }): void {
  registerCall(app, CALLS.updateProfile, deps, async ({ input, session }) => {
    await updateProfile(deps, session, input);
    return { data: await viewUser(deps, session), message: 'Details saved' };
  });

  registerCall(app, CALLS.updatePassword, deps, async ({ input, session, address, cookie }) => {
    const client = { address, browserToken: cookie(BROWSER_COOKIE) };
    const browser = await updatePassword(deps, session, { ...input, ...client });
    return { data: null, message: 'Password changed successfully!', cookies: [browser] };
  });

  registerCall(app, CALLS.findSessions, deps, async ({ session }) => ({
    data: await listDevices(deps, session),
  }));

  registerCall(app, CALLS.endSession, deps, async ({ input, session }) => {
    const data = await endDevice(deps, session, input.sessionId);
    const isSignedOut = data.every(({ isThis }) => !isThis);
    return {
      data,
      message: 'Logged out on that device',
      ...(isSignedOut && { signOut: true as const }),
    };
  });

  registerCall(app, CALLS.exportData, deps, async ({ session }) => ({
    data: await exportData(deps, session),
  }));

  registerCall(app, CALLS.deleteAccount, deps, async ({ input, session }) => {
    await deleteAccount(deps, session, input.password);
    return { data: null, message: 'Your account has been deleted.', signOut: true };
  });
}
