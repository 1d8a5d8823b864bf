import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import { takePackBack } from './ledger.service.ts';

type PackReturn =
  | { kind: 'returned'; credits: number; amountCents: number }
  /** Some of its credits are spent, or held by an order: nothing was changed. */
  | { kind: 'spent' }
  /** No such payment for credits, it has gone back already, or its bank has called it back. */
  | { kind: 'none' };

interface PaidPack {
  workspaceId: WorkspaceId;
  chargeId: string;
  amountCents: number;
  credits: number;
}

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

/** A payment for credits of which nothing has gone back or is disputed, held until the end of the transaction. */
async function lockPaidPack(tx: Tx, chargeId: string): Promise<PaidPack | undefined> {
  const { rows } = await sql<PaidPack>`
    select c.workspace_id as "workspaceId", c.id as "chargeId", c.amount_cents as "amountCents",
      (i.checkout ->> 'credits')::int as credits
    from charge c join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where c.id = ${chargeId} and c.state = 'succeeded' and i.checkout ->> 'kind' = 'credits'
    for update of c`.execute(tx);
  const [pack] = rows;
  if (!pack) return undefined;
  // A statement of its own: behind the lock it sees what a duplicate has written.
  const refund = await tx
    .selectFrom('refund')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .limit(1)
    .executeTakeFirst();
  if (refund) return undefined;
  const dispute = await tx
    .selectFrom('dispute')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .where('state', 'in', ['open', 'lost'])
    .limit(1)
    .executeTakeFirst();
  return dispute ? undefined : pack;
}
