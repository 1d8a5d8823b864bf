import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import { endDevice, listDevices } from '#server/identity/sessions/devices.service.ts';
import { exportData } from '#server/use-cases/customers/export-data.service.ts';
import { updatePassword, updateProfile } from '#server/identity/sessions/own-account.service.ts';
import { BROWSER_COOKIE } from '#server/identity/sessions/known-browser.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { atHome } from '#server/identity/sessions/session.service.ts';
import {
  deleteSubscription,
  hasSubscription,
  saveSubscription,
} from '#server/identity/push/push-subscription.repository.ts';

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

const NOWHERE = 'This browser’s push service isn’t one we can send to. Nothing was changed.';

export function registerPushRoutes(app: Hono, deps: Deps): void {
  const { clock, database, pushSender } = deps;

  registerCall(app, CALLS.findPush, deps, async ({ session }) => ({
    data: {
      publicKey: pushSender.publicKey,
      isOn: await hasSubscription(database.db, atHome(session)),
    },
  }));

  registerCall(app, CALLS.savePush, deps, async ({ input, session }) => {
    const { endpoint, p256dh, auth } = input;
    const target = { endpoint, p256dh, auth };
    if (!pushSender.allows(target)) throw new ApiError('invalid_input', NOWHERE);
    await database.transaction((tx) =>
      saveSubscription(tx, atHome(session), target, new Date(clock.now())),
    );
    return { data: null };
  });

  registerCall(app, CALLS.removePush, deps, async ({ session }) => {
    await deleteSubscription(database.db, atHome(session));
    return { data: null };
  });
}
