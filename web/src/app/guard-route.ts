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
