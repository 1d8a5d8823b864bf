import { type Kysely, sql } from 'kysely';
import { triggersOf } from './0008-sync-triggers.ts';

const dropTriggers = (table: string): string[] => [
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on ${table}`,
  ),
  `drop function sync_${table}()`,
];

const STATEMENTS = [
  // One for each deleted workspace whose cards the gateway still has; gone when they are.
  `create table card_detachment (
    workspace_id uuid primary key references workspace (id),
    gateway_customer_id text not null,
    asked_at timestamptz not null,
    detached_at timestamptz,
    next_attempt_at timestamptz not null,
    fence integer not null default 0
  )`,
  `create index card_detachment_due on card_detachment (next_attempt_at)`,

  // Whoever takes it ends a plan in the same transaction, which the copies see; there is no other plan.
  ...dropTriggers('money_back_account'),
  // The network's ids become keyed hashes. The key isn't known here, and no release has written plain ones.
  `delete from money_back_account`,
  `alter table money_back_account rename column ig_id to account_hash`,

  // What money back would return is seen with an account, and what other plans use of the balance lessens it.
  ...dropTriggers('billing_balance'),
  ...triggersOf({
    table: 'billing_balance',
    key: [],
    seen: '(@.cents)',
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.state in ('Active', 'Paused', 'Past due')
          offset 0) s`,
  }),
];

/** What a deleted customer leaves behind: no card at the gateway, no id of a network account here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
