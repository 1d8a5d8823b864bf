import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { AccountRow } from './account.repository.ts';

/** Every tag of the workspace’s connected accounts, as it is written there. */
export async function listTags(tx: Tx, workspaceId: WorkspaceId): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct tag from account, unnest(tags) tag
    where workspace_id = ${workspaceId} and removed_at is null order by tag`.execute(tx);
  return rows.map(({ tag }) => tag);
}

export async function setTags(
  tx: Tx,
  workspaceId: WorkspaceId,
  accounts: ReadonlyArray<Pick<AccountRow, 'id' | 'tags'>>,
): Promise<void> {
  const rows = accounts.map(({ id, tags }) => ({ id, tags }));
  await sql`
    update account a set tags = t.tags
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t(id uuid, tags text[])
    where a.workspace_id = ${workspaceId} and a.id = t.id`.execute(tx);
}
