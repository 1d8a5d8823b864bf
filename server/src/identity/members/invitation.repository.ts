import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InvitationTable } from '#server/kit/db/tables/membership.table.ts';

export type InvitationRow = Selectable<InvitationTable>;

/** An invitation is worth as much as whoever made it: of somebody who isn't an owner any more none is open. */
const isOfOwner = (): RawBuilder<boolean> => sql<boolean>`exists (
  select from membership m
  where m.workspace_id = invitation.workspace_id and m.user_id = invitation.invited_by and m.role = 'Owner')`;

/** Those nobody has answered yet, newest first. */
export function listOpenInvitations(
  db: Db,
  workspaceId: WorkspaceId,
  now: Date,
): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isOfOwner())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function findOpenInvitation(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isOfOwner())
    .executeTakeFirst();
}

export async function insertInvitation(
  tx: Tx,
  row: Omit<Insertable<InvitationTable>, 'ended_at' | 'outcome'>,
): Promise<void> {
  await tx
    .insertInto('invitation')
    .values({ ...row, ended_at: null, outcome: null })
    .execute();
}

/** Ends one that is open; false when it isn't any more. */
export async function endInvitation(
  tx: Tx,
  { workspaceId, id }: { workspaceId: WorkspaceId; id: string },
  outcome: 'accepted' | 'withdrawn',
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitation')
    .set({ ended_at: now, outcome })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isOfOwner())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Withdraws what is open for an address: an invitation is replaced by a newer one. */
export async function withdrawFor(
  tx: Tx,
  { workspaceId, email }: { workspaceId: WorkspaceId; email: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ ended_at: now, outcome: 'withdrawn' })
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .execute();
}

/** Those that are over since then go: their addresses are nobody's business any more. */
export async function deleteOldInvitations(db: Db, overSince: Date): Promise<void> {
  await db.deleteFrom('invitation').where('expires_at', '<', overSince).execute();
}
