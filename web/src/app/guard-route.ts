import { redirect } from 'react-router-dom';
import type { SessionHints } from '../platform/session-hints.ts';
import type { Guard } from './guards.ts';

/** Makes a route's loader out of a guard. */
export type GuardRoute = (guard: Guard) => () => Response | null;

export function guardWith(hints: SessionHints): GuardRoute {
  return (guard) => () => {
    const elsewhere = guard(hints);
    return elsewhere === undefined ? null : redirect(elsewhere);
  };
}
