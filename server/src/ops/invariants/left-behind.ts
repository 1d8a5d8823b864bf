import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { Db } from '#server/kit/db/database.ts';
import { textList } from '#server/kit/db/text-list.ts';
import { OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { Violation } from './violation.ts';

/** What only a customer can have, by a query for its workspace and the row's own name. */
export const KEPT: ReadonlyArray<{ what: string; query: string }> = [
  {
    what: 'a saved card',
    query: `select workspace_id, id::text as id from card
      where payment_method_id <> '' or last_digits <> '' or holder_name <> ''
        or billing_address is not null`,
  },
  {
    what: 'a customer at the gateway',
    query: `select workspace_id, gateway_customer_id as id from gateway_customer`,
  },
  {
    what: 'a network account reserved',
    query: `select workspace_id, subscription_id::text as id from network_subscription`,
  },
  {
    what: 'a network account of its own',
    query: `select workspace_id, account_hash as id from network_owner`,
  },
  {
    what: 'an unended subscription',
    query: `select workspace_id, id::text from subscription
      where state in (${textList(UNENDED_STATES)})`,
  },
  {
    what: 'a charge that is not settled',
    query: `select workspace_id, id::text from charge where state in (${textList(OPEN_STATES)})`,
  },
  {
    what: 'a connected account',
    query: `select workspace_id, id::text from account
      where ig_id is not null or ig_username <> 'deleted-' || id`,
  },
  {
    what: 'an account being polled',
    query: `select workspace_id, account_id::text as id from poll_schedule`,
  },
  {
    what: 'a document in its name',
    query: `select workspace_id, id::text from billing_document
      where content ?| array['buyer', 'account', 'paidWith']`,
  },
  {
    what: 'a tax id',
    query: `select workspace_id, tax_id as id from customer_tax_id`,
  },
  {
    what: 'a client',
    query: `select workspace_id, id::text from client`,
  },
  {
    what: 'a saved view',
    query: `select workspace_id, id::text from account_view`,
  },
  {
    what: 'an order that goes on',
    query: `select workspace_id, id::text from like_order
      where next_attempt_at is not null and not cancel_requested`,
  },
];

const SHOWN_LIMIT = 100;

/** I12: nothing of a deleted customer is left behind. Sessions and preferences go with their user by foreign key. */
export async function checkLeftBehind(db: Db): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { what, query } of KEPT) {
    const { rows } = await sql<{ workspaceId: WorkspaceId; id: string }>`
      select kept.workspace_id as "workspaceId", kept.id from (${sql.raw(query)}) as kept
      where not exists (select from membership m where m.workspace_id = kept.workspace_id)
      order by kept.workspace_id, kept.id limit ${SHOWN_LIMIT}`.execute(db);
    for (const { workspaceId, id } of rows) {
      const problem = `has ${what} (${id}) and no customer`;
      found.push({ invariant: 'I12', subject: `workspace ${workspaceId}`, problem });
    }
  }
  return found;
}
