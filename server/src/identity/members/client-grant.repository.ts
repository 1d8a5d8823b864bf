import { sql } from 'kysely';
import type { ClientGrant } from '#shared/contract/people/team.ts';
import type { Person } from '#shared/domain/people/may.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { type InWorkspace, grantsOf } from '#server/kit/db/people.ts';
import type { MembershipRow } from './membership.repository.ts';

/** Somebody with what they are granted; undefined when they are no member. */
export async function findPerson(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<Person | undefined> {
  const row = await db
    .selectFrom('membership')
    .select(['role', 'all_clients', grantsOf().as('grants')])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { role: row.role, allClients: row.all_clients, grants: row.grants ?? undefined };
}

/** What is granted in a workspace (or to one of its people), by user. */
export async function listGrants(
  db: Db,
  workspaceId: WorkspaceId,
  userId?: string,
): Promise<Map<string, ClientGrant[]>> {
  let query = db.selectFrom('client_grant').selectAll().where('workspace_id', '=', workspaceId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  const rows = await query.orderBy('client_id').execute();
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map(
    Array.from(byUser, ([user, grants]) => [
      user,
      grants.map(({ client_id: clientId, role }) => ({ clientId, role })),
    ]),
  );
}

/** Makes these all that somebody is granted; what stays as it was isn't written. */
export async function setGrants(
  tx: Tx,
  { workspace_id: workspaceId, user_id: userId }: Pick<MembershipRow, 'workspace_id' | 'user_id'>,
  grants: readonly ClientGrant[],
): Promise<void> {
  const wanted = JSON.stringify(
    grants.map(({ clientId, role }) => ({ client_id: clientId, role })),
  );
  await sql`
    delete from client_grant g where g.workspace_id = ${workspaceId} and g.user_id = ${userId}
      and not exists (select from jsonb_to_recordset(${wanted}::text::jsonb) as w(client_id uuid)
        where w.client_id = g.client_id)`.execute(tx);
  await sql`
    insert into client_grant as g (workspace_id, user_id, client_id, role)
      select ${workspaceId}, ${userId}, w.client_id, w.role
        from jsonb_to_recordset(${wanted}::text::jsonb) as w(client_id uuid, role text)
    on conflict (workspace_id, user_id, client_id) do update set role = excluded.role
      where g.role <> excluded.role`.execute(tx);
}

/** Lets whoever was granted one client have the other: the greater of two roles stays. */
export async function moveGrants(
  tx: Tx,
  workspaceId: WorkspaceId,
  { from, into }: { from: string; into: string },
): Promise<void> {
  await sql`
    insert into client_grant as g (workspace_id, user_id, client_id, role)
      select workspace_id, user_id, ${into}, role from client_grant
        where workspace_id = ${workspaceId} and client_id = ${from}
    on conflict (workspace_id, user_id, client_id) do update set role = excluded.role
      where array_position(array['Manager', 'Editor', 'Viewer'], excluded.role)
        < array_position(array['Manager', 'Editor', 'Viewer'], g.role)`.execute(tx);
}

/** Which of these are clients of the workspace. */
export async function listClientIds(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('client')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
}
