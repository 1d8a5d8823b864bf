import { sql } from 'kysely';
import { PROMISED_STATES } from '#server/kit/db/tables/refund.table.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { deleteSentTickets } from '#server/mail/owed-mail.repository.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { DeletedAccount } from '#server/kit/db/tables/owed-mail.table.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';
import { anonymiseDocuments } from '#server/money/documents/billing-document.repository.ts';
import { TOLD_COLUMNS } from '#server/network/accounts/reading.repository.ts';

export function lockUnendedSubscriptions(
  tx: Tx,
  workspaceId: WorkspaceId,
): Promise<SubscriptionRow[]> {
  return tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', UNENDED_STATES)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Takes names, pictures and words off the connected accounts and their posts. Posts with orders stay as
 * bare rows under the network's id, because the orders, which credits were paid for, belong to them, and
 * because likes bought for a post count whoever connects its account next (D6).
 */
export async function anonymiseAccounts(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  const statements = [
    sql`delete from remembered_profile p using account a
      where a.workspace_id = ${workspaceId}
        and (p.ig_username = a.ig_username or p.account->>'igId' = a.ig_id)`,
    sql`delete from poll_schedule where workspace_id = ${workspaceId}`,
    sql`delete from post p where workspace_id = ${workspaceId} and not exists (
      select from like_order o where o.workspace_id = p.workspace_id
        and o.account_id = p.account_id and o.post_id = p.id)`,
    sql`update post set caption = '', permalink = '', shortcode = '', image_url = null
      where workspace_id = ${workspaceId}`,
    sql`update like_order set shortcode = '', ig_id = '' where workspace_id = ${workspaceId}`,
    sql`update subscription set ig_id = '', baseline_post_ids = '{}', past_account_hashes = '{}'
      where workspace_id = ${workspaceId}`,
    sql`update subscription_pause set ig_id = '' where workspace_id = ${workspaceId}`,
    sql`update account set ig_username = 'deleted-' || id, problem = null, tags = '{}',
      client_id = null,
      ${sql.join(TOLD_COLUMNS.map((column) => sql`${sql.id(column)} = null`))}
      where workspace_id = ${workspaceId}`,
  ];
  for (const statement of statements) await statement.execute(tx);
}

/** Amounts and dates stay; names, digits and the network's accounts go. */
export async function anonymiseMoney(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  const statements = [
    sql`delete from ownership_proof where workspace_id = ${workspaceId}`,
    sql`delete from network_owner where workspace_id = ${workspaceId}`,
    sql`delete from network_subscription where workspace_id = ${workspaceId}`,
    sql`delete from gateway_customer where workspace_id = ${workspaceId}`,
    sql`delete from ledger_words where workspace_id = ${workspaceId}`,
    sql`delete from attempt where workspace_id = ${workspaceId}`,
    sql`delete from card_setup where workspace_id = ${workspaceId}`,
    sql`update card set holder_name = '', last_digits = '', payment_method_id = '', fingerprint = null,
      billing_address = null
      where workspace_id = ${workspaceId}`,
    sql`update credits_transaction set ig_username = null where workspace_id = ${workspaceId}`,
    sql`update invoice set checkout = checkout - 'igId' - 'baselinePostIds'
      where workspace_id = ${workspaceId}`,
  ];
  for (const statement of statements) await statement.execute(tx);
  await anonymiseDocuments(tx, workspaceId);
}

/**
 * Mails owed to its people, whom it has invited, its clients and views, what it was to cost, and that anybody
 * was in it.
 */
export async function emptyWorkspace(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx.deleteFrom('owed_mail').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('invitation').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('bulk_operation').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('budget').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('report_brand').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('report_mail').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('sent_report').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('member_charge').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('member_raise').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('account_view').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('membership').where('workspace_id', '=', workspaceId).execute();
  await tx.deleteFrom('client').where('workspace_id', '=', workspaceId).execute();
}

/** What still goes back to the cards of these workspaces, as far as it is known, and what is asked for. */
export async function readMoneyBack(
  tx: Tx,
  workspaceIds: readonly WorkspaceId[],
): Promise<Pick<DeletedAccount, 'owedCents' | 'requested'>> {
  const { rows } = await sql<{ owedCents: number; leastCents: number; mostCents: number }>`
    select (select coalesce(sum(amount_cents), 0)::int from refund
        where workspace_id = any(${workspaceIds}::uuid[]) and state in (${sql.join(PROMISED_STATES)})
      ) as "owedCents",
      coalesce(sum(amount_cents), 0)::int as "leastCents",
      coalesce(sum(most_cents), 0)::int as "mostCents"
    from refund_request
    where workspace_id = any(${workspaceIds}::uuid[]) and state = 'Requested'`.execute(tx);
  const { owedCents, leastCents, mostCents } = rows[0] ?? NO_MONEY;
  return { owedCents, requested: mostCents > 0 ? { leastCents, mostCents } : null };
}

const NO_MONEY = { owedCents: 0, leastCents: 0, mostCents: 0 };

/** Somebody with their sessions, address and memberships, and the questions they sent; false: this isn't their home. */
export async function deletePerson(
  tx: Tx,
  { homeId, userId, email }: { homeId: WorkspaceId; userId: string; email: string },
): Promise<boolean> {
  await deleteSentTickets(tx, email);
  const { numDeletedRows } = await tx
    .deleteFrom('app_user')
    .where('workspace_id', '=', homeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Forgets the log of changes, whose ids are the network's. Last of all: what this transaction has changed
 * itself is not to be logged either, and no device is left that would follow it.
 */
export async function forgetChanges(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`
    select set_config('sync.pending', coalesce(string_agg(line || E'\\n', ''), ''), true)
      from unnest(string_to_array(coalesce(current_setting('sync.pending', true), ''), E'\\n')) line
      where line <> '' and line not like ${`${workspaceId}%`}`.execute(tx);
  await sql`delete from sync_row where workspace_id = ${workspaceId}`.execute(tx);
  await sql`delete from sync_head where workspace_id = ${workspaceId}`.execute(tx);
}
