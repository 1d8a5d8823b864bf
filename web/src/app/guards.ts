import type { SessionHints } from '../platform/session-hints.ts';
import { paths } from './paths.ts';

/** Which page an address leads to (S§2, S§6); undefined: the page itself. */
export type Guard = (hints: SessionHints) => string | undefined;

/** The landing page: whoever has a session is sent to the dashboard. */
export const visitorOnly: Guard = (hints) => (hints.userId() ? paths.dashboard : undefined);

/** Log-in and sign-up: whoever has a session is sent on. */
export const notSignedIn: Guard = (hints) => {
  if (!hints.userId()) return undefined;
  return hints.inSubscription() ? paths.dashboard : paths.subscription;
};

export const signedIn: Guard = (hints) => (hints.userId() ? undefined : paths.login);

export const subscribed: Guard = (hints) =>
  signedIn(hints) ?? (hints.inSubscription() ? undefined : paths.subscription);
