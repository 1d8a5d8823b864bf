import type { Deps } from '../deps.ts';
import { appendAudit } from '../features/audit/audit.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '../features/mail/outbox.repository.ts';

type SignOutDeps = Pick<Deps, 'clock' | 'database'>;

/**
 * Ends every session of a customer, named by e-mail address, user id or workspace id; audited in their
 * chain. The number that ended; undefined when there is nobody by that name.
 */
export async function signOutCustomer(
  { clock, database }: SignOutDeps,
  name: string,
): Promise<number | undefined> {
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
  if (!owner) return undefined;
  const { workspace_id: workspaceId } = owner;
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ ended_at: now, end_reason: 'signed_out' })
      .where('workspace_id', '=', workspaceId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    await appendAudit(tx, { workspaceId, actor: 'operator', action: 'sessions_ended', now });
    return Number(numUpdatedRows);
  });
}

/** Ends the sessions of all customers, for instance once a backup has got lost. The number that ended. */
export async function signOutEverybody({ clock, database }: SignOutDeps): Promise<number> {
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ ended_at: now })
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    await appendAudit(tx, {
      workspaceId: OPERATOR_WORKSPACE_ID,
      actor: 'operator',
      action: 'sessions_ended',
      subject: 'everybody',
      now,
    });
    return Number(numUpdatedRows);
  });
}
