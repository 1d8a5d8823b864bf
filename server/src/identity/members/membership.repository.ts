import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Role } from '#shared/domain/people/may.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { type InWorkspace, ofFirstOwner, selectPeople } from '#server/kit/db/people.ts';
import type { MembershipTable } from '#server/kit/db/tables/membership.table.ts';

export type MembershipRow = Selectable<MembershipTable>;

export function findMembership(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<MembershipRow | undefined> {
  return db
    .selectFrom('membership')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export function findMember(
  db: Db,
  workspaceId: WorkspaceId,
  memberId: string,
): Promise<MembershipRow | undefined> {
  return db
    .selectFrom('membership')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', memberId)
    .executeTakeFirst();
}

/** The zone of somebody's own days. */
export async function findPersonZone(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<string> {
  const row = await selectPeople(db)
    .select('app_user.time_zone')
    .where('membership.workspace_id', '=', workspaceId)
    .where('membership.user_id', '=', userId)
    .executeTakeFirst();
  return row?.time_zone ?? 'UTC';
}

/** Everybody in a workspace with name and address: owners first, then by how long they are there. */
export function listMembers(db: Db, workspaceId: WorkspaceId) {
  return selectPeople(db)
    .selectAll('membership')
    .select(['app_user.name', 'app_user.email'])
    .where('membership.workspace_id', '=', workspaceId)
    .orderBy(sql`array_position(array['Owner', 'Manager', 'Editor', 'Viewer'], membership.role)`)
    .orderBy('membership.created_at')
    .orderBy('membership.id')
    .execute();
}

/** Where somebody works, oldest first; a workspace is called by its first owner. */
export async function listWorkspaces(
  db: Db,
  person: Pick<MembershipRow, 'home_workspace_id' | 'user_id'>,
): Promise<Array<{ id: WorkspaceId; name: string; role: Role }>> {
  const { rows } = await sql<{ id: WorkspaceId; name: string; role: Role }>`
    select own.workspace_id as id, own.role, coalesce(${ofFirstOwner('name', sql`own.workspace_id`)}, '') as name
      from membership own
      where own.home_workspace_id = ${person.home_workspace_id} and own.user_id = ${person.user_id}
      order by own.created_at, own.id`.execute(db);
  return rows;
}

export async function countMembers(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const { count } = await db
    .selectFrom('membership')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Their users, the first one first. */
export async function listOwners(db: Db, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await db
    .selectFrom('membership')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'Owner')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.user_id);
}

/** Whether somebody else is an owner too. */
export async function hasOtherOwner(
  db: Db,
  { workspace_id: workspaceId, user_id: userId }: Pick<MembershipRow, 'workspace_id' | 'user_id'>,
): Promise<boolean> {
  const other = await db
    .selectFrom('membership')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '<>', userId)
    .where('role', '=', 'Owner')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function insertMembership(
  tx: Tx,
  row: Omit<MembershipRow, 'all_clients' | 'spend_limit_cents'> &
    Partial<Pick<MembershipRow, 'all_clients'>>,
): Promise<void> {
  await tx
    .insertInto('membership')
    .values({ ...row, spend_limit_cents: null })
    .execute();
}

export async function updateMembership(
  tx: Tx,
  { workspace_id: workspaceId, id }: Pick<MembershipRow, 'workspace_id' | 'id'>,
  change: Partial<Pick<MembershipRow, 'role' | 'all_clients' | 'spend_limit_cents'>>,
): Promise<void> {
  await tx
    .updateTable('membership')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

export async function deleteMembership(
  tx: Tx,
  { workspace_id: workspaceId, id }: Pick<MembershipRow, 'workspace_id' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('membership')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/**
 * Moves what is a person's own (password, sessions, browsers) from the home they lose to a new workspace of their
 * own, with nothing in it. Their memberships elsewhere follow.
 */
export async function moveHome(
  tx: Tx,
  {
    home_workspace_id: from,
    user_id: userId,
  }: Pick<MembershipRow, 'home_workspace_id' | 'user_id'>,
  to: { workspaceId: WorkspaceId; memberId: string; now: Date },
): Promise<void> {
  const { workspaceId, memberId, now } = to;
  await tx.insertInto('workspace').values({ id: workspaceId, created_at: now }).execute();
  // Session, address, browsers and memberships follow by their foreign keys.
  await tx
    .updateTable('app_user')
    .set({ workspace_id: workspaceId, default_account_id: null })
    .where('workspace_id', '=', from)
    .where('id', '=', userId)
    .execute();
  await insertMembership(tx, {
    workspace_id: workspaceId,
    user_id: userId,
    id: memberId,
    home_workspace_id: workspaceId,
    role: 'Owner',
    created_at: now,
  });
}

/**
 * What a person has spent with the card of a workspace since then, cents; what was declined, or returned because it
 * bought nothing, doesn't count.
 */
export async function sumMemberCharges(
  db: Db,
  { workspaceId, userId }: InWorkspace,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(c.amount_cents), 0) as cents from member_charge m
      join charge c on c.workspace_id = m.workspace_id and c.id = m.charge_id
      where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and m.at >= ${since}
        and c.state <> 'declined' and not c.is_returned`.execute(db);
  return Number(rows[0]?.cents ?? 0);
}

export async function insertMemberCharge(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
  { chargeId, now }: { chargeId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('member_charge')
    .values({ workspace_id: workspaceId, charge_id: chargeId, user_id: userId, at: now })
    .execute();
}

/** Above it a manager's changes of many accounts wait for another person (docs/decisions/0049); null: none do. */
export async function findApprovalAbove(db: Db, workspaceId: WorkspaceId): Promise<number | null> {
  const row = await db
    .selectFrom('workspace')
    .select('approval_above_cents')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row?.approval_above_cents ?? null;
}

export async function setApprovalAbove(
  tx: Tx,
  workspaceId: WorkspaceId,
  cents: number | null,
): Promise<void> {
  await tx
    .updateTable('workspace')
    .set({ approval_above_cents: cents })
    .where('id', '=', workspaceId)
    .execute();
}
