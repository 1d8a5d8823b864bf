import type { MediaType } from '#shared/contract/post.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { AccountRow } from '../accounts/account.repository.ts';

export interface PostToLike {
  id: string;
  igId: string;
  shortcode: string;
  mediaType: MediaType;
  takenAt: Date;
  deletedAt: Date | null;
}

/**
 * A post of a connected account, held as it is until the end of the transaction: a deletion that is
 * found meanwhile comes after it and then finds the order it has to end.
 */
export async function findPostToLike(
  tx: Tx,
  { workspace_id: workspaceId, id: accountId, ig_id: igId }: AccountRow,
  postId: string,
): Promise<PostToLike | undefined> {
  if (igId === null) return undefined;
  const post = await tx
    .selectFrom('post')
    .select([
      'id',
      'shortcode',
      'media_type as mediaType',
      'taken_at as takenAt',
      'deleted_at as deletedAt',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '=', postId)
    .forShare()
    .executeTakeFirst();
  return post && { ...post, igId };
}

/** An extra-likes order that was made before. */
export function findCreditOrder(
  db: Db,
  workspaceId: string,
  orderId: string,
): Promise<{ ordered: number } | undefined> {
  return db
    .selectFrom('like_order')
    .select('ordered')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', orderId)
    .where('kind', '=', 'credit')
    .executeTakeFirst();
}
