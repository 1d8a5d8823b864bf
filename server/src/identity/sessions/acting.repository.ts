import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';

/** The workspace a session acts in. */
export const ACTING = sql<WorkspaceId>`coalesce(session.acting_workspace_id, session.workspace_id)`;

/** Ends a person's sessions in a workspace, all but `keptSessionId`, because they aren't in it any more. */
export async function endSessionsIn(
  tx: Tx,
  acting: { homeId: WorkspaceId; userId: string; workspaceId: WorkspaceId },
  keptSessionId: string | undefined,
  now: Date,
): Promise<void> {
  let update = tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'membership_ended' })
    .where('workspace_id', '=', acting.homeId)
    .where('user_id', '=', acting.userId)
    .where(ACTING, '=', acting.workspaceId)
    .where('ended_at', 'is', null);
  if (keptSessionId !== undefined) update = update.where('id', '<>', keptSessionId);
  await update.execute();
}

/** Lets a session act in another workspace of its person. */
export async function actIn(
  tx: Tx,
  { homeId, sessionId }: { homeId: WorkspaceId; sessionId: string },
  workspaceId: WorkspaceId,
): Promise<void> {
  await tx
    .updateTable('session')
    .set({ acting_workspace_id: workspaceId })
    .where('workspace_id', '=', homeId)
    .where('id', '=', sessionId)
    .execute();
}

/** Where a person acted last, as far as they are still there. */
export async function findLastActed(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
): Promise<WorkspaceId | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('membership', (join) =>
      join
        .on('membership.workspace_id', '=', ACTING)
        .onRef('membership.user_id', '=', 'session.user_id'),
    )
    .select('membership.workspace_id')
    .where('session.workspace_id', '=', person.workspaceId)
    .where('session.user_id', '=', person.userId)
    .orderBy('session.last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id;
}
