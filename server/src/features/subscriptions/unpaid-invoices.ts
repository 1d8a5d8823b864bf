import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { OPEN_STATES } from '../billing/charge.repository.ts';
import { listRefundable, planRefunds } from '../billing/refund.repository.ts';
import { type SubscriptionRow, UNENDED_STATES } from '../billing/subscription.repository.ts';
import { addToBalance, lockBalance } from './billing-balance.repository.ts';
import type { InvoiceRow } from './invoice.repository.ts';
import { keyOf } from './subscription-work.repository.ts';

/** Puts the billing balance that an invoice has taken back, once. */
export async function giveBack(tx: Tx, invoice: InvoiceRow, now: Date): Promise<void> {
  const { workspace_id: workspaceId, id, subscription_id: subscriptionId } = invoice;
  if (subscriptionId === null || invoice.balance_used_cents === 0) return;
  await lockBalance(tx, workspaceId);
  const key = `invoice:${id}:back`;
  await addToBalance(tx, {
    workspaceId,
    subscriptionId,
    key,
    cents: invoice.balance_used_cents,
    now,
  });
}

/** Lets go of invoices that nobody will pay any more; those still being charged settle by themselves. */
export async function releaseUnpaid(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  const unpaid = await tx
    .selectFrom('invoice')
    .selectAll()
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('paid_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('charge')
            .select(sql`1`.as('one'))
            .whereRef('charge.workspace_id', '=', 'invoice.workspace_id')
            .whereRef('charge.invoice_id', '=', 'invoice.id')
            .where('charge.state', 'in', OPEN_STATES),
        ),
      ),
    )
    .execute();
  for (const invoice of unpaid) await giveBack(tx, invoice, now);
}

/** With the last subscription ended, what is left of the billing balance goes back to the card. */
export async function payBackIfLast(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<void> {
  const workspaceId = row.workspace_id;
  const balanceCents = await lockBalance(tx, workspaceId);
  if (balanceCents === 0 || (await hasUnended(tx, workspaceId))) return;
  const entry = { ...keyOf(row), now };
  if (balanceCents < 0) {
    // Under the least a card can be charged: forgiven.
    await addToBalance(tx, { ...entry, key: `forgiven:${ids.uuid()}`, cents: -balanceCents });
    return;
  }
  const refunds = await planRefunds(tx, { ids }, await listRefundable(tx, { workspaceId }), {
    reason: 'balance',
    cents: balanceCents,
    now,
    dueAt: now,
  });
  for (const { id, amountCents } of refunds) {
    await addToBalance(tx, { ...entry, key: `refund:${id}`, cents: -amountCents });
  }
}

async function hasUnended(tx: Tx, workspaceId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('subscription')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', UNENDED_STATES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
