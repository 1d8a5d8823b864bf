import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { SessionTable } from './session.table.ts';

export interface SessionRow {
  id: string;
  workspace_id: string;
  user_id: string;
  last_seen_at: Date;
}

export async function insertSession(
  db: Db,
  row: Omit<Insertable<SessionTable>, 'ended_at'>,
): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...row, ended_at: null })
    .execute();
}

/** The session of a token, unless it has ended or expired. */
export async function findLiveSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('session')
    .select(['id', 'workspace_id', 'user_id', 'last_seen_at'])
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function touchSession(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Ends a session; one that has already ended stays as it is. */
export async function endSessionRow(
  db: Db,
  session: { workspaceId: string; sessionId: string },
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

/** Ends the customer's sessions, all but `keptSessionId`. */
export async function endOtherSessions(
  db: Db,
  owner: { workspaceId: string; userId: string },
  keptSessionId: string | undefined,
  now: Date,
): Promise<void> {
  let update = db
    .updateTable('session')
    .set({ ended_at: now })
    .where('workspace_id', '=', owner.workspaceId)
    .where('user_id', '=', owner.userId)
    .where('ended_at', 'is', null);
  if (keptSessionId !== undefined) update = update.where('id', '<>', keptSessionId);
  await update.execute();
}

/** Drops sessions that nobody can use any more, once their trace in the device list is old. */
export async function deleteOldSessions(db: Db, deadSince: Date): Promise<void> {
  await db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('expires_at', '<', deadSince), eb('ended_at', '<', deadSince)]))
    .execute();
}
