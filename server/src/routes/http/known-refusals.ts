import type { MiddlewareHandler } from 'hono';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { networkOf } from '#server/kit/http/client-address.ts';
import { rateLimited } from '#server/identity/limits/rate-limit.ts';
import '#server/kit/http/request-context.ts';

/** Other nodes may have taken a use back meanwhile. */
const KNOWN_MS = 30_000;
const KNOWN_LIMIT = 10_000;

/**
 * Refuses again, without asking the database, what an address was refused a moment ago. This memory of one
 * node only ever says no; who may go on is decided by the counts that all nodes share.
 */
export function knownRefusals({ clock }: Pick<Deps, 'clock'>): MiddlewareHandler {
  const known = new Map<string, { untilMs: number; retryAtMs: number }>();
  return async (c, next) => {
    const key = `${c.req.path} ${networkOf(c.get('address'))}`;
    const refused = known.get(key);
    const now = clock.now();
    if (refused && refused.untilMs > now) throw rateLimited(refused.retryAtMs - now);
    await next();
    if (!(c.error instanceof ApiError) || !c.error.isOfAddress || c.get('address') === '') return;
    const retryAtMs = clock.now() + (c.error.retryAfterMs ?? 0);
    known.delete(key);
    known.set(key, { untilMs: Math.min(retryAtMs, clock.now() + KNOWN_MS), retryAtMs });
    // The oldest comes first.
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_LIMIT) break;
      known.delete(oldest);
    }
  };
}
