import type { Insertable, Selectable } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InvitationTable } from '#server/kit/db/tables/membership.table.ts';

export type InvitationRow = Selectable<InvitationTable>;

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
