import { type Selectable, sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { UserPreferenceTable } from '#server/kit/db/tables/user-preference.table.ts';

type UserPreferenceRow = Selectable<UserPreferenceTable>;

export function findPreference(
  db: Db,
  person: InWorkspace,
): Promise<UserPreferenceRow | undefined> {
  return db
    .selectFrom('user_preference')
    .selectAll()
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
}

/** Saves what is given; the rest stays. */
export async function savePreference(
  db: Db,
  person: InWorkspace,
  change: Partial<Omit<UserPreferenceRow, 'workspace_id' | 'user_id'>>,
): Promise<void> {
  const key = { workspace_id: person.workspaceId, user_id: person.userId };
  const insert = db
    .insertInto('user_preference')
    .values({ ...key, active_account_id: null, ...change });
  await insert
    .onConflict((conflict) =>
      Object.keys(change).length === 0
        ? conflict.doNothing()
        : conflict.columns(['workspace_id', 'user_id']).doUpdateSet(change),
    )
    .execute();
}

/** Nobody's shown or pinned account any more. */
export async function forgetShownAccount(
  tx: Tx,
  { workspaceId, accountId }: { workspaceId: WorkspaceId; accountId: AccountId },
): Promise<void> {
  await sql`
    update user_preference set
      active_account_id = nullif(active_account_id, ${accountId}::uuid),
      pinned_account_ids = array_remove(pinned_account_ids, ${accountId}::uuid)
    where workspace_id = ${workspaceId}
  `.execute(tx);
}
