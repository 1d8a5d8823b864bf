import { sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { ImageTarget } from './image-path.ts';
import type { StoredImage } from './image-urls.ts';

export async function findPostImage(
  db: Db,
  { workspaceId, accountId, id }: ImageTarget,
): Promise<StoredImage | undefined> {
  const row = await db
    .selectFrom('post')
    .select(['image_url', 'media_type'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { url: row.image_url, mediaType: row.media_type };
}

export async function findProfileImage(
  db: Db,
  { workspaceId, accountId }: ImageTarget,
): Promise<StoredImage | undefined> {
  const row = await db
    .selectFrom('account')
    .select('profile_picture_url')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row && { url: row.profile_picture_url, mediaType: undefined };
}

export async function storeProfileImage(
  db: Db,
  account: { workspaceId: WorkspaceId; accountId: AccountId },
  url: string,
): Promise<void> {
  await db
    .updateTable('account')
    .set({ profile_picture_url: url })
    .where('workspace_id', '=', account.workspaceId)
    .where('id', '=', account.accountId)
    .execute();
}

/** Renews the addresses of known posts. Polls don't: they write only when more than a signature changed. */
export async function storePostImages(
  db: Db,
  { workspaceId, accountId }: { workspaceId: WorkspaceId; accountId: AccountId },
  posts: readonly NetworkPost[],
): Promise<void> {
  const rows = posts.flatMap(({ id, imageUrl }) => (imageUrl ? [{ id, url: imageUrl }] : []));
  if (rows.length === 0) return;
  await sql`
    update post p set image_url = s.url
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as s(id text, url text)
    where p.workspace_id = ${workspaceId} and p.account_id = ${accountId} and p.id = s.id
      and p.image_url is distinct from s.url
  `.execute(db);
}
