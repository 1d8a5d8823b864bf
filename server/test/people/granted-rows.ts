import { sql } from 'kysely';
import type { Scope } from '#shared/contract/scope.ts';
import type { Db } from '#server/kit/db/database.ts';

/** What a member may see of accounts, posts and orders now, as `entity id`, asked of the tables alone. */
export async function seenNow(db: Db, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with seen as (
      select a.workspace_id, a.id from membership m join account a on a.workspace_id = m.workspace_id
        join client_grant g on g.workspace_id = m.workspace_id and g.user_id = m.user_id
          and g.client_id = a.client_id
        where m.id = ${memberId} and not m.all_clients and a.removed_at is null)
    select 'account ' || id as key from seen
    union all select 'post ' || p.account_id || '/' || p.id from seen
      join post p on p.workspace_id = seen.workspace_id and p.account_id = seen.id
    union all select 'order ' || o.id from seen
      join like_order o on o.workspace_id = seen.workspace_id and o.account_id = seen.id
    order by 1`.execute(db);
  return rows.map(({ key }) => key).toSorted();
}

/** What a log says is there. */
export async function loggedNow(db: Db, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('sync_row')
    .select(['entity', 'id'])
    .where('scope', '=', scope)
    .where('deleted', '=', false)
    .execute();
  return rows.map(({ entity, id }) => `${entity} ${id}`).toSorted();
}
