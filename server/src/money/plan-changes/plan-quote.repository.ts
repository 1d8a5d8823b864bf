import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { PlanQuoteTable } from '#server/kit/db/tables/subscription-work.table.ts';

export type QuoteRow = Selectable<PlanQuoteTable>;

export async function insertQuote(tx: Tx, quote: QuoteRow): Promise<void> {
  await tx.insertInto('plan_quote').values(quote).execute();
}

export function findQuote(
  tx: Tx,
  workspaceId: WorkspaceId,
  quoteId: string,
): Promise<QuoteRow | undefined> {
  return tx
    .selectFrom('plan_quote')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', quoteId)
    .executeTakeFirst();
}

export function markUsed(
  tx: Tx,
  { workspace_id: workspaceId, id }: QuoteRow,
  { attemptId, now }: { attemptId: string; now: Date },
): Promise<unknown> {
  return tx
    .updateTable('plan_quote')
    .set({ used_at: now, used_by: attemptId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/**
 * Drops quotes that are over: those never used, and, once the attempt is forgotten that had used it, the
 * others.
 */
export async function deleteOldQuotes(
  db: Db,
  { expiredBefore, usedBefore }: { expiredBefore: Date; usedBefore: Date },
): Promise<void> {
  await sql`delete from plan_quote where expires_at < ${expiredBefore}
    and (used_at is null or used_at < ${usedBefore})`.execute(db);
}
