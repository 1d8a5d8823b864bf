import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import {
  endAllSessions,
  endSessionsOf,
} from '#server/identity/sessions/end-sessions.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';

type SignOutDeps = Pick<Deps, 'clock' | 'database'>;

/**
 * Ends every session of a customer, named by e-mail address, user id or workspace id; audited in their
 * chain. The number that ended; undefined when there is nobody by that name.
 */
export async function signOutCustomer(
  { clock, database }: SignOutDeps,
  name: string,
): Promise<number | undefined> {
  const workspaceId = await findCustomer({ database }, name);
  if (workspaceId === undefined) return undefined;
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const ended = await endSessionsOf(tx, workspaceId, now);
    await appendAudit(tx, { workspaceId, actor: 'operator', action: 'sessions_ended', now });
    return ended;
  });
}

/** The workspace of a customer named by e-mail address, user id or workspace id. */
export async function findCustomer(
  { database }: Pick<Deps, 'database'>,
  name: string,
): Promise<WorkspaceId | undefined> {
  const key = name.trim().toLowerCase();
  const owner = await database.db
    .selectFrom('email_directory')
    .select('workspace_id')
    .where((eb) =>
      eb.or([
        eb('email', '=', key),
        eb(eb.cast<string>('user_id', 'text'), '=', key),
        eb(eb.cast<string>('workspace_id', 'text'), '=', key),
      ]),
    )
    .executeTakeFirst();
  return owner?.workspace_id;
}

/** Ends the sessions of all customers, for instance once a backup has got lost. The number that ended. */
export async function signOutEverybody({ clock, database }: SignOutDeps): Promise<number> {
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const ended = await endAllSessions(tx, now);
    await appendAudit(tx, {
      workspaceId: OPERATOR_WORKSPACE_ID,
      actor: 'operator',
      action: 'sessions_ended',
      subject: 'everybody',
      now,
    });
    return ended;
  });
}
