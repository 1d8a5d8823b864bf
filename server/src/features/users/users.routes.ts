import { availableParallelism } from 'node:os';
import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/client-address.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { registerCall } from '../../http/register-call.ts';
import { logIn } from './login.service.ts';
import { createPasswords } from './password.ts';
import { registerUser } from './registration.service.ts';
import { endSession } from './session.service.ts';
import { viewUser } from './user-view.service.ts';

/** About 1.5 s of waiting on two cores. */
const PASSWORDS_WAITING = 64;

export function registerUserRoutes(app: Hono, shared: Deps): void {
  const gate = { atOnce: availableParallelism(), waiting: PASSWORDS_WAITING };
  const deps = { ...shared, passwords: createPasswords(shared, gate) };

  registerCall(app, CALLS.register, deps, async ({ input, session, address, userAgent }) => {
    await limit(deps, { ...LIMITS.registration, key: networkOf(address) });
    const { signIn, ...owner } = await registerUser(deps, input, userAgent);
    if (session) await endSession(deps, session);
    return { data: await viewUser(deps, owner), message: 'Successfully Registered', signIn };
  });

  registerCall(app, CALLS.login, deps, async ({ input, session, userAgent }) => {
    const { signIn, ...owner } = await logIn(deps, { ...input, userAgent });
    if (session) await endSession(deps, session);
    return { data: await viewUser(deps, owner), message: 'Successfully logged in', signIn };
  });

  registerCall(app, CALLS.logout, deps, async ({ session }) => {
    if (session) await endSession(deps, session);
    return { data: null, message: 'Successfully logged out', signOut: true };
  });

  registerCall(app, CALLS.findUser, deps, async ({ session }) => ({
    data: await viewUser(deps, session),
  }));
}
