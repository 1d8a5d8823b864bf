import type { MiddlewareHandler } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Session } from '../sessions/session.service.ts';
import { onBehalfOf } from '#server/kit/async/asker.ts';
import { Semaphore } from '#server/kit/async/semaphore.ts';
import './session.ts';

/** What one person may have worked on at once, from all their sessions, and how many more requests wait for their turn. */
const SHARE = { concurrency: 4, waiting: 128 };

/** Runs work within the share of whoever asked. */
export type InShare = <T>(work: () => Promise<T>) => Promise<T>;

declare module 'hono' {
  interface ContextVariableMap {
    /** Runs what is done after the handler, part by part, within the person's share. */
    inShare: InShare;
  }
}

const RETRY_MS = 1000;

/** These wait for the card gateway, so they take no place; each has a limit of its own. */
const PAYMENTS: ReadonlySet<string> = new Set(
  Object.values(CALLS)
    .filter(({ errors }) => errors.some((code) => code === 'payment_unknown'))
    .map(({ path }) => path),
);

/** How somebody gets rid of a session that asks for too much; each session has places of its own for them. */
const WAYS_OUT: ReadonlySet<string> = new Set(
  [CALLS.findSessions, CALLS.endSession, CALLS.updatePassword, CALLS.logout].map(
    ({ path }) => path,
  ),
);

/**
 * Gives each person their share of the database: their own requests wait for each other, nobody else does. Nobody
 * has more of it who logs in more often.
 * What answers in parts takes a place for each part (`c.get('inShare')`), never for as long as it is read.
 */
export function sessionShare(limits = SHARE): MiddlewareHandler {
  const inShare = createShares(limits);
  return async (c, next) => {
    const session = c.get('session');
    c.set('inShare', session ? (work) => inShare(session, work) : (work) => work());
    if (!session) return next();
    const { path } = c.req;
    if (PAYMENTS.has(path)) return onBehalfOf(session.userId, next);
    return inShare(session, next, WAYS_OUT.has(path) ? session.sessionId : session.userId);
  };
}

function createShares(limits: typeof SHARE) {
  const shares = new Map<string, { semaphore: Semaphore; requests: number }>();
  return async <T>(
    { userId }: Session,
    work: () => Promise<T>,
    of: string = userId,
  ): Promise<T> => {
    const share = shares.get(of) ?? { semaphore: new Semaphore(limits, tooMany), requests: 0 };
    shares.set(of, share);
    share.requests += 1;
    try {
      return await share.semaphore.run(() => onBehalfOf(userId, work));
    } finally {
      share.requests -= 1;
      if (share.requests === 0) shares.delete(of);
    }
  };
}

function tooMany(): ApiError {
  const message = 'Too many requests at once. Please try again in a moment.';
  return new ApiError('rate_limited', message, { retryAfterMs: RETRY_MS });
}
