import { sql } from 'kysely';
import type { OrderState } from '#shared/domain/order-state.ts';
import type { Db } from '../../db/database.ts';

/** What a post's view needs of one order. */
export interface PostOrder {
  id: string;
  post_id: string;
  kind: 'automatic' | 'credit';
  state: OrderState;
  ordered: number;
  bonus: number;
  delivered: number;
}

/** The workspace's orders of these posts, newest first. */
export async function listOrdersOfPosts(
  db: Db,
  filter: { workspaceId: string; accountId: string; postIds: string[] },
): Promise<PostOrder[]> {
  if (filter.postIds.length === 0) return [];
  return db
    .selectFrom('like_order')
    .select(['id', 'post_id', 'kind', 'state', 'ordered', 'bonus', 'delivered'])
    .where('workspace_id', '=', filter.workspaceId)
    .where('account_id', '=', filter.accountId)
    .where('post_id', '=', sql<string>`any(${filter.postIds}::text[])`)
    .orderBy('detected_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Likes delivered per post by all workspaces: several may connect one network account, and whoever
 * paid for a like, it isn't organic (D6).
 */
export async function countDeliveredLikes(db: Db, postIds: string[]): Promise<Map<string, number>> {
  if (postIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('like_order')
    .select((eb) => ['post_id', eb.fn.sum<string>('delivered').as('delivered')])
    .where('post_id', '=', sql<string>`any(${postIds}::text[])`)
    .groupBy('post_id')
    .execute();
  return new Map(rows.map(({ post_id: id, delivered }) => [id, Number(delivered)]));
}
