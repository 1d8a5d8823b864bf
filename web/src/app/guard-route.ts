import { redirect } from 'react-router-dom';
import type { SessionHints } from '../platform/session-hints.ts';
import type { Guard } from './guards.ts';

/** Makes a route's loader out of a guard. */
export type GuardRoute = (
  guard: Guard,
) => (asked: { request: Request }) => Promise<Response | null>;

/** `recall` brings back hints that the browser lost; asked only when there are none. */
export function guardWith(hints: SessionHints, recall: () => Promise<void>): GuardRoute {
  return (guard) =>
    async ({ request }) => {
      if (!hints.userId()) await recall();
      const elsewhere = guard(hints, new URL(request.url));
      return elsewhere === undefined ? null : redirect(elsewhere);
    };
}
