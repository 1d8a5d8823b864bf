import type { Db, Tx } from '../../db/database.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

/** Cents left over for the next invoices, held until the end of the transaction. */
export async function lockBalance(tx: Tx, workspaceId: string): Promise<number> {
  const { cents } = await tx
    .insertInto('billing_balance')
    .values({ workspace_id: workspaceId, cents: 0 })
    // A row locked by being written: READ COMMITTED shows whatever was committed before.
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet((eb) => ({ cents: eb.ref('billing_balance.cents') })),
    )
    .returning('cents')
    .executeTakeFirstOrThrow();
  return cents;
}

/** Cents left over for the next invoices, as they stand now. */
export async function readBalance(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('billing_balance')
    .select('cents')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.cents ?? 0;
}

/** Moves a locked balance, once per key. */
export async function addToBalance(
  tx: Tx,
  entry: SubscriptionKey & { key: string; cents: number; now: Date },
): Promise<void> {
  const { workspaceId, subscriptionId, key, cents, now } = entry;
  if (cents === 0) return;
  const added = await tx
    .insertInto('billing_balance_entry')
    .values({ workspace_id: workspaceId, key, subscription_id: subscriptionId, cents, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!added) return;
  await tx
    .updateTable('billing_balance')
    .set((eb) => ({ cents: eb('cents', '+', cents) }))
    .where('workspace_id', '=', workspaceId)
    .execute();
}
