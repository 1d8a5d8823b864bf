import { type RawBuilder, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tables } from '#server/kit/db/database.ts';

/** What one person can read at once; an agency's posts beyond it stay in the dashboard. */
const ROWS_LIMIT = 20_000;

interface Section {
  name: string;
  table: keyof Tables;
  without?: readonly string[];
  /** Which of its rows; all where it isn't given. */
  only?: string;
}

/** What is kept about a person, wherever they work, under the name it has in the document. */
const OWN: ReadonlyArray<Section & { person: string }> = [
  { name: 'user', table: 'app_user', without: ['password_hash'], person: 't.id' },
  { name: 'sessions', table: 'session', without: ['token_hash'], person: 't.user_id' },
  {
    name: 'knownBrowsers',
    table: 'known_browser',
    without: ['browser_hash', 'network_hash'],
    person: 't.user_id',
  },
  {
    name: 'pushSubscriptions',
    table: 'push_subscription',
    without: ['p256dh', 'auth'],
    person: '(select s.user_id from session s where s.id = t.session_id)',
  },
];

/** What a person has chosen, in each workspace that they are in. */
const CHOSEN: readonly Section[] = [
  { name: 'preferences', table: 'user_preference' },
  { name: 'alertChoices', table: 'alert_choice' },
  { name: 'views', table: 'account_view' },
];

/** What is kept about a workspace, for its owners. */
const SECTIONS: readonly Section[] = [
  { name: 'members', table: 'membership' },
  { name: 'invitations', table: 'invitation', without: ['token_hash'] },
  { name: 'clients', table: 'client' },
  { name: 'grants', table: 'client_grant' },
  { name: 'sharedViews', table: 'account_view', only: 't.user_id is null' },
  { name: 'budgets', table: 'budget' },
  { name: 'reportReaders', table: 'report_mail' },
  { name: 'reportAddresses', table: 'report_address', without: ['token_hash'] },
  { name: 'reportBrand', table: 'report_brand' },
  // A report is a page of its own to save.
  { name: 'sentReports', table: 'sent_report', without: ['pdf'] },
  { name: 'accounts', table: 'account' },
  { name: 'ownershipProofs', table: 'ownership_proof' },
  { name: 'posts', table: 'post' },
  { name: 'subscriptions', table: 'subscription' },
  { name: 'earlierPlans', table: 'past_plan' },
  { name: 'pauses', table: 'subscription_pause' },
  { name: 'planDays', table: 'subscription_day' },
  { name: 'likeOrders', table: 'like_order' },
  { name: 'likeOrderEvents', table: 'order_event' },
  { name: 'bulkOperations', table: 'bulk_operation', without: ['session_id'] },
  { name: 'bulkItems', table: 'bulk_item' },
  { name: 'cards', table: 'card', without: ['payment_method_id'] },
  { name: 'invoices', table: 'invoice' },
  { name: 'charges', table: 'charge', without: ['gateway_key', 'action_url'] },
  { name: 'spentBy', table: 'member_charge' },
  { name: 'disputes', table: 'dispute', without: ['card_hash'] },
  { name: 'creditsTransactions', table: 'credits_transaction' },
  { name: 'moneyBacks', table: 'refund_request' },
  { name: 'refunds', table: 'refund', without: ['gateway_key', 'rejected_reason'] },
  { name: 'billingDocuments', table: 'billing_document' },
  { name: 'taxId', table: 'customer_tax_id' },
  { name: 'creditBalance', table: 'credit_balance' },
  { name: 'ledger', table: 'ledger_transaction' },
  { name: 'ledgerEntries', table: 'ledger_entry' },
  { name: 'ledgerWords', table: 'ledger_words' },
  // A recovery code, even sealed, belongs in its mail only.
  { name: 'mails', table: 'owed_mail', without: ['payload'] },
  { name: 'audit', table: 'audit_event', without: ['hash', 'previous_hash'] },
];

/** Every table of which a customer's document has rows. */
export const EXPORTED: ReadonlySet<keyof Tables> = new Set(
  [...OWN, ...CHOSEN, ...SECTIONS].map(({ table }) => table),
);

/** Reads all sections; `cutOff` names those of which there is more. Without a workspace the person's own alone. */
export async function readEverything(
  db: Db,
  {
    homeId,
    userId,
    workspaceId,
  }: {
    homeId: WorkspaceId;
    userId: string;
    workspaceId: WorkspaceId | undefined;
  },
): Promise<{ sections: Record<string, unknown[]>; cutOff: string[] }> {
  const sections: Record<string, unknown[]> = {};
  const cutOff: string[] = [];
  const read = async ({ name, table, without = [] }: Section, where: RawBuilder<unknown>) => {
    const hidden = sql.join(['workspace_id', 'fence', ...without]);
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) - array[${hidden}]::text[] as row from ${sql.table(table)} t
      where ${where} limit ${ROWS_LIMIT + 1}`.execute(db);
    if (rows.length > ROWS_LIMIT) cutOff.push(name);
    sections[name] = rows.slice(0, ROWS_LIMIT).map(({ row }) => row);
  };
  for (const { person, ...section } of OWN) {
    await read(section, sql`t.workspace_id = ${homeId} and ${sql.raw(person)} = ${userId}::uuid`);
  }
  for (const section of CHOSEN) {
    const joined = sql`select m.workspace_id from membership m where m.user_id = ${userId}`;
    await read(section, sql`t.workspace_id in (${joined}) and t.user_id = ${userId}`);
  }
  for (const section of workspaceId === undefined ? [] : SECTIONS) {
    const only = sql.raw(section.only ?? 'true');
    await read(section, sql`t.workspace_id = ${workspaceId} and ${only}`);
  }
  return { sections, cutOff };
}
