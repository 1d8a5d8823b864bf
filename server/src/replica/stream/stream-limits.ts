import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';

/** Streams open at once. The tabs of a browser share one. */
export const STREAM_LIMITS = { session: 8, user: 30, node: 4000 };
/** Nobody reads a stream of which nothing was read for so long, although something was there. */
export const UNREAD_MS = 2 * SYNC_LIMITS.heartbeatMs;

const NODE_RETRY_MS = 10_000;

/** @throws ApiError `overloaded` when the session, its user or the node has as many streams as it may */
export function refuseTooMany(
  limits: typeof STREAM_LIMITS,
  open: Iterable<{ session: Session }>,
  { userId, sessionId }: Session,
): void {
  const count = { session: 0, user: 0, node: 0 };
  for (const { session } of open) {
    count.node += 1;
    if (session.userId === userId) count.user += 1;
    if (session.sessionId === sessionId) count.session += 1;
  }
  if (count.session >= limits.session || count.user >= limits.user) {
    const message = 'You have too many pages open. Please close some of them.';
    throw new ApiError('overloaded', message, { retryAfterMs: UNREAD_MS });
  }
  if (count.node < limits.node) return;
  const message = 'Too many people are connected right now. Please try again in a moment.';
  throw new ApiError('overloaded', message, { retryAfterMs: NODE_RETRY_MS });
}
