import type { SessionHints } from '../platform/session-hints.ts';
import { paths } from './paths.ts';

/** Which page an address leads to (S§2, S§6); undefined: the page itself. */
export type Guard = (hints: SessionHints, address: URL) => string | undefined;

/** The landing page: whoever has a session is sent to the dashboard. */
export const visitorOnly: Guard = (hints) => (hints.userId() ? paths.dashboard : undefined);

/** Log-in and sign-up: whoever has a session is sent on. */
export const notSignedIn: Guard = (hints, { search }) => {
  if (!hints.userId()) return undefined;
  const wanted = paths.wantedPage(search);
  if (wanted !== undefined) return wanted;
  return hints.inSubscription() ? paths.dashboard : paths.subscription;
};

export const signedIn: Guard = (hints, { pathname, search }) =>
  hints.userId() ? undefined : paths.loginFor(pathname + search);

export const subscribed: Guard = (hints, address) =>
  signedIn(hints, address) ?? (hints.inSubscription() ? undefined : paths.subscription);
