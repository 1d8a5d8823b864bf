import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

const order = SYNCED.find(({ table }) => table === 'like_order');
if (!order) throw new Error('like_order is not synced');

const OF_OTHERS = 'where p.id = c.post_id and p.workspace_id <> c.workspace_id';
const lines = order.lines.replace(
  `(select * from post p
          ${OF_OTHERS}`,
  `(select p.* from post p
          join account a on a.workspace_id = p.workspace_id and a.id = p.account_id
          ${OF_OTHERS} and (
            exists (select from subscription s
              where s.ig_id = a.ig_id and s.workspace_id = a.workspace_id)
            or exists (select from like_order l
              where l.workspace_id = a.workspace_id and l.account_id = a.id and l.ig_id = a.ig_id)
            or exists (select from ownership_proof o where o.workspace_id = a.workspace_id
              and o.ig_id = a.ig_id and o.proved_at is not null))`,
);
if (lines === order.lines) throw new Error('like_order tells others in other words');

const STATEMENTS = [
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on like_order`,
  ),
  `drop function sync_like_order()`,
  ...triggersOf({ ...order, lines, seen: order.seen.replace(/\)$/, ', @.credits_returned)') }),
];

/** Who doesn't see what others have delivered to an account isn't told when it happens either. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
