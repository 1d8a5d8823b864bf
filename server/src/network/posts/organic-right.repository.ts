import { sql } from 'kysely';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';

/**
 * Whether the workspace of an account `a` has ever had a plan or an order there, or has shown that it is
 * theirs. Everybody else could tell from the organic likes what was sold for an account they only added.
 */
export const SEES_ORGANIC = sql<boolean>`(
  exists (select from subscription s where s.ig_id = a.ig_id and s.workspace_id = a.workspace_id)
  or exists (select from like_order l
    where l.workspace_id = a.workspace_id and l.account_id = a.id and l.ig_id = a.ig_id)
  or exists (select from ownership_proof o
    where o.workspace_id = a.workspace_id and o.ig_id = a.ig_id and o.proved_at is not null))`;

/**
 * Call it before the first plan, order or proof of a workspace for a network account is written, in its
 * transaction: the posts in replicas come again, with their organic likes.
 */
export async function showOrganic(
  tx: Tx,
  { workspaceId, igId }: { workspaceId: WorkspaceId; igId: IgId },
): Promise<void> {
  await sql`
    select sync_touch(string_agg(sync_line(p.workspace_id, 'w:' || p.workspace_id, 'post',
      p.account_id || '/' || p.id, false), ''))
    from account a join post p on p.workspace_id = a.workspace_id and p.account_id = a.id
    where a.workspace_id = ${workspaceId} and a.ig_id = ${igId} and not ${SEES_ORGANIC}`.execute(
    tx,
  );
}
