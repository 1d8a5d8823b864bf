import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import { takePackBack } from './ledger.service.ts';
import { lockPaidPack, type PaidPack } from '../charges/payment.repository.ts';

type PackReturn =
  | { kind: 'returned'; credits: number; amountCents: number }
  /** Some of its credits are spent, or held by an order: nothing was changed. */
  | { kind: 'spent' }
  /** No such payment for credits, it has gone back already, or its bank has called it back. */
  | { kind: 'none' };

/**
 * Gives the money of a credit pack back and takes its credits, all or nothing. Bonus credits that could
 * be spent only because of this payment (D4) have to be there too.
 */
export async function returnPack(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  chargeId: string,
): Promise<PackReturn> {
  const now = new Date(deps.clock.now());
  try {
    return await deps.database.transaction(async (tx) => {
      const pack = await lockPaidPack(tx, chargeId);
      if (!pack) return { kind: 'none' };
      await returnLocked(tx, deps, pack, now);
      return { kind: 'returned', credits: pack.credits, amountCents: pack.amountCents };
    });
  } catch (error) {
    if (error instanceof CreditsSpent) return { kind: 'spent' };
    throw error;
  }
}

/** Undoes the transaction. */
class CreditsSpent extends Error {}

async function returnLocked(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  pack: PaidPack,
  now: Date,
): Promise<void> {
  const { workspaceId, chargeId, amountCents } = pack;
  const whole = { workspaceId, chargeId, leftCents: amountCents };
  // First, so that the payment counts as none when it is asked what may be taken.
  await planRefunds(tx, deps, [whole], { reason: 'returned', cents: amountCents, now, dueAt: now });
  const balance = await takePackBack(tx, deps, { ...pack, now });
  if (balance === undefined) throw new CreditsSpent('the credits of a returned pack are spent');
  const entry = { workspaceId, actor: 'operator', subject: chargeId };
  await appendAudit(tx, { ...entry, action: 'pack_returned', now });
}
