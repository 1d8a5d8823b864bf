import type { Selectable } from 'kysely';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { AccountViewTable } from '#server/kit/db/tables/account-view.table.ts';

type AccountViewRow = Selectable<AccountViewTable>;

/** A person's own views and the shared ones. */
export async function findViewRows(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<AccountViewRow[]> {
  return db
    .selectFrom('account_view')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('user_id', '=', userId), where('user_id', 'is', null)]))
    .execute();
}

/** As it is to be; false: the id is somebody else's. */
export async function putView(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
  { id, name, search, isShared }: AccountView,
): Promise<boolean> {
  const row = { name, search, user_id: isShared ? null : userId };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_view')
    .values({ workspace_id: workspaceId, id, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'id'])
        .doUpdateSet(row)
        .where((where) =>
          where.or([
            where('account_view.user_id', '=', userId),
            where('account_view.user_id', 'is', null),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteView(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<void> {
  await tx
    .deleteFrom('account_view')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
