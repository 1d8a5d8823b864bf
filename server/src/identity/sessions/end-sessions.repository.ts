import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { isLive } from './session.repository.ts';

/** Ends a session; one that has already ended stays as it is. */
export async function endSessionRow(
  db: Db,
  session: { workspaceId: WorkspaceId; sessionId: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: now })
    .where('workspace_id', '=', session.workspaceId)
    .where('id', '=', session.sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends the customer's sessions, all but `keptSessionId`, because the password was changed. */
export async function endOtherSessions(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
  keptSessionId: string | undefined,
  now: Date,
): Promise<void> {
  let update = db
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'password_changed' })
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where('ended_at', 'is', null);
  if (keptSessionId !== undefined) update = update.where('id', '<>', keptSessionId);
  await update.execute();
}

/** Ends one session of this customer; false when it isn't theirs, or is over. */
export async function endOwnSession(
  tx: Tx,
  person: { workspaceId: WorkspaceId; userId: string },
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'signed_out' })
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where('id', '=', sessionId)
    .where(isLive(now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the sessions of a workspace, as logged out from elsewhere. The number that ended. */
export async function endSessionsOf(db: Db, workspaceId: WorkspaceId, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'signed_out' })
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends every session there is. The number that ended. */
export async function endAllSessions(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
