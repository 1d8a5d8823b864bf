import { type Kysely, sql } from 'kysely';
import { triggersOf } from './0008-sync-triggers.ts';

const STATEMENTS = [
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on billing_balance`,
  ),
  `drop function sync_billing_balance()`,
  ...triggersOf({
    table: 'billing_balance',
    key: [],
    seen: '(@.cents)',
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select distinct workspace_id, account_id from subscription s
          where s.workspace_id = c.workspace_id offset 0) s`,
  }),
];

/** What money back would return is seen with an account whose plan has ended, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
