import { type RawBuilder, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Role } from '#shared/domain/people/may.ts';
import type { Db } from './database.ts';

/** Somebody in a workspace. */
export interface InWorkspace {
  workspaceId: WorkspaceId;
  userId: string;
}

/** The row of a member's own, which stands in their home, beside their membership `m`. */
export const OWN_ROW = sql`join app_user u on u.workspace_id = m.home_workspace_id and u.id = m.user_id`;

/**
 * What a person is called, whether or not they still are a member, in a query that names the column of their id;
 * null: their account is deleted.
 */
export const personName = (userId: string): RawBuilder<string | null> =>
  sql`(select u.name from app_user u where u.id = ${sql.ref(userId)})`;

/** What a workspace goes by: its first owner's name, and the zone in which its months begin. */
export const ofFirstOwner = (
  column: 'name' | 'time_zone',
  workspaceId: RawBuilder<unknown>,
): RawBuilder<string | null> =>
  sql`(select ${sql.ref(`u.${column}`)} from membership m ${OWN_ROW}
    where m.workspace_id = ${workspaceId} and m.role = 'Owner' order by m.created_at, m.id limit 1)`;

/** Members beside their own rows, which stand in their homes. */
export function selectPeople(db: Db) {
  return db
    .selectFrom('membership')
    .innerJoin('app_user', (join) =>
      join
        .onRef('app_user.workspace_id', '=', 'membership.home_workspace_id')
        .onRef('app_user.id', '=', 'membership.user_id'),
    );
}

/** Of a row of `membership`, which the query may call `m`: its grants as `Person` has them; null without any. */
export const grantsOf = (
  membership: 'membership' | 'm' = 'membership',
): RawBuilder<Readonly<Record<string, Role>> | null> => sql`
  (select jsonb_object_agg(g.client_id, g.role) from client_grant g
    where g.workspace_id = ${sql.ref(`${membership}.workspace_id`)}
      and g.user_id = ${sql.ref(`${membership}.user_id`)})`;
