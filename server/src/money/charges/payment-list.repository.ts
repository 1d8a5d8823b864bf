import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { CardTable, CreditsTransactionTable } from '#server/kit/db/tables/charge.table.ts';

/** A payment with what the mask of its card needs. */
export type CreditsTransactionRow = Selectable<CreditsTransactionTable> &
  Pick<Selectable<CardTable>, 'brand' | 'last_digits' | 'holder_name' | 'exp_month' | 'exp_year'>;

/** The payments of a workspace (or these), newest first. */
export function listCreditsTransactions(
  db: Db,
  workspaceId: WorkspaceId,
  ids?: readonly string[],
): Promise<CreditsTransactionRow[]> {
  let query = db
    .selectFrom('credits_transaction')
    .innerJoin('card', (join) =>
      join
        .onRef('card.workspace_id', '=', 'credits_transaction.workspace_id')
        .onRef('card.id', '=', 'credits_transaction.card_id'),
    )
    .selectAll('credits_transaction')
    .select([
      'card.brand',
      'card.last_digits',
      'card.holder_name',
      'card.exp_month',
      'card.exp_year',
    ])
    .where('credits_transaction.workspace_id', '=', workspaceId);
  if (ids) query = query.where('credits_transaction.id', '=', sql<string>`any(${ids}::uuid[])`);
  return query
    .orderBy('credits_transaction.created_at', 'desc')
    .orderBy('credits_transaction.id', 'desc')
    .execute();
}
