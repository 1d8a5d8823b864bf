import { redirect } from 'react-router-dom';
import type { SessionMarkers } from '#web/platform/session-markers.ts';
import type { Guard } from './guards.ts';

/** Makes a route's loader out of a guard. */
export type GuardRoute = (
  guard: Guard,
) => (asked: { request: Request }) => Promise<Response | null>;

/** `restore` brings back markers that the browser lost; asked only when there are none. */
export function guardWith(markers: SessionMarkers, restore: () => Promise<void>): GuardRoute {
  return (guard) =>
    async ({ request }) => {
      if (!markers.userId()) await restore();
      const elsewhere = guard(markers, new URL(request.url));
      return elsewhere === undefined ? null : redirect(elsewhere);
    };
}

/**
 * Browsers write the markers to disk some seconds late, the replica at once: after a crash right after
 * a log-in only the replica knows who is signed in. Looks once, when a page begins without markers: markers
 * that go later were taken away on purpose.
 */
export function createSessionRestore(
  markers: SessionMarkers,
  report: (event: string, detail: unknown) => void,
): () => Promise<void> {
  const hadMarkers = markers.userId() !== undefined;
  let asked: Promise<void> | undefined;
  const restore = async (): Promise<void> => {
    try {
      // Without a replica, which is the usual case, nothing else is loaded.
      if (!('databases' in indexedDB) || (await indexedDB.databases()).length === 0) return;
      const { findOpenSession } = await import('#web/replica/store/open-session.ts');
      const session = await findOpenSession();
      // Somebody may have logged in meanwhile, in another window.
      if (session && markers.userId() === undefined) markers.begin(session);
    } catch (error) {
      report('The replica could not be looked for', error);
    }
  };
  return async () => {
    if (!hadMarkers) await (asked ??= restore());
  };
}
