import type { SessionMarkers } from '#web/platform/session-markers.ts';
import { paths } from './paths.ts';

/** Which page an address leads to (S§2, S§6); undefined: the page itself. */
export type Guard = (markers: SessionMarkers, address: URL) => string | undefined;

/** The landing page: whoever has a session is sent to the dashboard. */
export const visitorOnly: Guard = (markers) => (markers.userId() ? paths.dashboard : undefined);

/** Nobody is sent elsewhere. */
export const anybody: Guard = () => undefined;

/** Log-in and sign-up: whoever has a session is sent on. */
export const notSignedIn: Guard = (markers, { search }) => {
  if (!markers.userId()) return undefined;
  const wanted = paths.wantedPage(search);
  if (wanted !== undefined) return wanted;
  return markers.inSubscription() ? paths.dashboard : paths.subscription;
};

export const signedIn: Guard = (markers, { pathname, search }) =>
  markers.userId() ? undefined : paths.loginFor(pathname + search);

export const subscribed: Guard = (markers, address) =>
  signedIn(markers, address) ?? (markers.inSubscription() ? undefined : paths.subscription);
