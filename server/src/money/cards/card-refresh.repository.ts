import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { SavedCard } from '#server/adapters/stripe/card-gateway.ts';
import { claimDue, type Lease } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';

export interface CardToRefresh {
  workspaceId: WorkspaceId;
  cardId: string;
  paymentMethodId: string;
  /** At the gateway; null: its workspace has none any more. */
  customerId: string | null;
}

export function claimCardsToRefresh(db: Db, lease: Lease): Promise<CardToRefresh[]> {
  return claimDue(
    db,
    { ...lease, table: 'card', due: 'refresh_at' },
    sql<CardToRefresh>`t.workspace_id as "workspaceId", t.id as "cardId",
      t.payment_method_id as "paymentMethodId", (select c.gateway_customer_id
        from gateway_customer c where c.workspace_id = t.workspace_id) as "customerId"`,
  );
}

/** What is kept of the saved card is read before it is charged, whether or not an event told of a renewal. */
export async function makeSavedCardDue(tx: Tx, workspaceId: WorkspaceId, now: Date): Promise<void> {
  await sql`
    update card set refresh_at = ${now} where workspace_id = ${workspaceId} and id = (
      select id from card where workspace_id = ${workspaceId} and in_use_since is not null
      order by in_use_since desc, id desc limit 1)`.execute(tx);
}

/** Keeps what the gateway has of a card; news that came meanwhile has it read again. */
export async function storeRefreshed(
  db: Db,
  { workspaceId, cardId }: CardToRefresh,
  read: { leaseUntil: Date; card: SavedCard | undefined },
): Promise<void> {
  const { leaseUntil, card } = read;
  await db
    .updateTable('card')
    .set({
      refresh_at: null,
      ...(card && {
        brand: card.brand,
        last_digits: card.lastDigits,
        exp_month: card.month,
        exp_year: card.year,
      }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', cardId)
    .where('refresh_at', '=', leaseUntil)
    .execute();
}
