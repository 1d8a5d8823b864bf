import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Deps } from '#server/kit/deps.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import {
  type CardToRefresh,
  claimCardsToRefresh,
  storeRefreshed,
} from './card-refresh.repository.ts';

type RefreshDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

/** Longer than a look-up takes; a gateway that doesn't answer is asked again then. */
const LEASE_MS = MINUTE_MS;
const LIMIT = 10;

/**
 * Reads at the gateway what is kept of cards whose banks have renewed them: the token stays, the last digits and
 * the date don't. Whose card it is to us (its fingerprint: D4, D5) stays what it was.
 */
export async function refreshDueCards(deps: RefreshDeps): Promise<void> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: LIMIT });
  const due = await claimCardsToRefresh(deps.database.db, lease);
  await Promise.all(due.map((card) => refreshCard(deps, card, lease.leaseUntil)));
}

async function refreshCard(
  { database, gateway, log }: RefreshDeps,
  card: CardToRefresh,
  leaseUntil: Date,
): Promise<void> {
  const { customerId, paymentMethodId } = card;
  const found =
    customerId === null
      ? ({ kind: 'absent' } as const)
      : await gateway.findCard({ customerId, paymentMethodId });
  if (found.kind === 'unknown') {
    log.warn('renewed card not read', { reason: found.reason });
    return;
  }
  await storeRefreshed(database.db, card, {
    leaseUntil,
    card: found.kind === 'found' ? found.card : undefined,
  });
}
