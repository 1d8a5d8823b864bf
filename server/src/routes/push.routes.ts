import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { atHome } from '#server/identity/sessions/session.service.ts';
import { registerCall } from './http/register-call.ts';
import {
  deleteSubscription,
  hasSubscription,
  saveSubscription,
} from '#server/identity/push/push-subscription.repository.ts';

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
