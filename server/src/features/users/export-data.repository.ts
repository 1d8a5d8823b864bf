import { sql } from 'kysely';
import type { Db, Tables } from '../../db/database.ts';

/** What one person can read at once; an agency's posts beyond it stay in the dashboard. */
const ROWS_MOST = 20_000;

/** Every table with something of a customer's, under the name it has in the document. */
const SECTIONS: ReadonlyArray<{ name: string; table: keyof Tables; without?: readonly string[] }> =
  [
    { name: 'user', table: 'app_user', without: ['password_hash'] },
    { name: 'sessions', table: 'session', without: ['token_hash'] },
    { name: 'pushSubscriptions', table: 'push_subscription', without: ['p256dh', 'auth'] },
    { name: 'accounts', table: 'account' },
    { name: 'posts', table: 'post' },
    { name: 'subscriptions', table: 'subscription' },
    { name: 'likeOrders', table: 'like_order' },
    { name: 'cards', table: 'card', without: ['payment_method_id'] },
    { name: 'invoices', table: 'invoice' },
    { name: 'charges', table: 'charge', without: ['gateway_key'] },
    { name: 'creditsTransactions', table: 'credits_transaction' },
    { name: 'moneyBacks', table: 'money_back' },
    { name: 'refunds', table: 'refund', without: ['gateway_key', 'rejected_reason'] },
    { name: 'creditBalance', table: 'credit_balance' },
    { name: 'ledger', table: 'ledger_transaction' },
    { name: 'ledgerWords', table: 'ledger_words' },
    // A recovery code, even sealed, belongs into its mail only.
    { name: 'mails', table: 'outbox', without: ['payload'] },
    { name: 'audit', table: 'audit_event', without: ['hash', 'previous_hash'] },
  ];

/** Reads all sections; `cutOff` names those of which there is more. */
export async function readEverything(
  db: Db,
  workspaceId: string,
): Promise<{ sections: Record<string, unknown[]>; cutOff: string[] }> {
  const sections: Record<string, unknown[]> = {};
  const cutOff: string[] = [];
  for (const { name, table, without = [] } of SECTIONS) {
    const hidden = sql.join(['workspace_id', 'fence', ...without]);
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) - array[${hidden}]::text[] as row from ${sql.table(table)} t
      where workspace_id = ${workspaceId} limit ${ROWS_MOST + 1}`.execute(db);
    if (rows.length > ROWS_MOST) cutOff.push(name);
    sections[name] = rows.slice(0, ROWS_MOST).map(({ row }) => row);
  }
  return { sections, cutOff };
}
