import type { Selectable } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { AlertChoiceTable } from '#server/kit/db/tables/alert-choice.table.ts';

type AlertChoiceRow = Selectable<AlertChoiceTable>;

export function findAlertChoice(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<AlertChoiceRow | undefined> {
  return db
    .selectFrom('alert_choice')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Whether a mail was wanted until now. */
export async function stopAlertMail(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alert_choice')
    .set({ mail_hour: null, mail_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('mail_hour', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Somebody's choices, held until the transaction ends; made where there are none. */
export async function lockAlertChoice(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
): Promise<AlertChoiceRow> {
  await tx
    .insertInto('alert_choice')
    .values({ workspace_id: workspaceId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('alert_choice')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function setAlertChoice(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
  change: Partial<Pick<AlertChoiceRow, 'read_until' | 'mail_hour' | 'mail_at' | 'mutes'>>,
): Promise<void> {
  const { mutes, ...others } = change;
  if (Object.keys(change).length === 0) return;
  await tx
    .updateTable('alert_choice')
    .set({ ...others, ...(mutes && { mutes: JSON.stringify(mutes) }) })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}
