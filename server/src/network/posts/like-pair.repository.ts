import { type Selectable, sql } from 'kysely';
import { pairLikes, type PairedOrder } from '#shared/domain/delivery/like-pair.ts';
import type { PostId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { PostTable } from '#server/kit/db/tables/post.table.ts';

type CountedPost = Pick<
  Selectable<PostTable>,
  | 'workspace_id'
  | 'account_id'
  | 'id'
  | 'like_count'
  | 'organic_likes'
  | 'lost_likes'
  | 'open_reading_at'
>;

type PostRowKey = Pick<CountedPost, 'workspace_id' | 'account_id' | 'id'>;

/**
 * Pairs the last reading of these posts with what has been delivered to them; called whenever one of both
 * is stored. The only writer of organic and lost likes of posts with orders.
 */
export async function pairReadings(tx: Tx, keys: readonly PostRowKey[]): Promise<void> {
  // Orders are read under the lock: two pairings at once can't overtake each other.
  const posts = await lockPostsWithOrders(tx, keys);
  const orders = await listPairedOrders(
    tx,
    posts.map(({ id }) => id),
  );
  const changed = posts.flatMap((post) => paired(post, orders.get(post.id) ?? []) ?? []);
  if (changed.length === 0) return;
  await sql`
    update post p set organic_likes = s.organic_likes, lost_likes = s.lost_likes,
      open_reading_at = s.open_reading_at
    from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as s(workspace_id uuid,
      account_id uuid, id text, organic_likes integer, lost_likes integer, open_reading_at timestamptz)
    where p.workspace_id = s.workspace_id and p.account_id = s.account_id and p.id = s.id
  `.execute(tx);
}

/** Everybody's rows of these network posts: several workspaces may connect one account. */
export function listPostKeys(db: Db, postIds: readonly PostId[]): Promise<PostRowKey[]> {
  if (postIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('post')
    .select(['workspace_id', 'account_id', 'id'])
    .where('id', 'in', postIds)
    .execute();
}

/** A post whose count was read again. */
export type OpenReading = PostRowKey & { open_reading_at: Date };

/** Counts that were the same when read again, of those that have not told all they can. */
export async function renewOpenReadings(
  db: Db,
  seen: readonly OpenReading[],
): Promise<OpenReading[]> {
  const { rows } = await sql<OpenReading>`
    update post p set open_reading_at = s.open_reading_at
    from jsonb_to_recordset(${JSON.stringify(seen)}::text::jsonb)
      as s(workspace_id uuid, account_id uuid, id text, open_reading_at timestamptz)
    where p.workspace_id = s.workspace_id and p.account_id = s.account_id and p.id = s.id
      and p.open_reading_at < s.open_reading_at
    returning p.workspace_id, p.account_id, p.id, p.open_reading_at
  `.execute(db);
  return rows;
}

/** The post after its pairing; undefined when nothing in it is new. */
function paired(post: CountedPost, orders: readonly PairedOrder[]): CountedPost | undefined {
  const { like_count: total, open_reading_at: readAt } = post;
  const before = { organic: post.organic_likes ?? total ?? 0, lost: post.lost_likes };
  const reading = total === null || !readAt ? undefined : { total, atMs: readAt.getTime() };
  const { organic, lost, isSettled } = pairLikes(before, reading, orders);
  const after: CountedPost = {
    ...post,
    organic_likes: organic,
    lost_likes: lost,
    open_reading_at: isSettled ? null : readAt,
  };
  const isSame =
    after.organic_likes === post.organic_likes &&
    after.lost_likes === post.lost_likes &&
    after.open_reading_at === post.open_reading_at;
  return isSame ? undefined : after;
}

async function lockPostsWithOrders(tx: Tx, keys: readonly PostRowKey[]): Promise<CountedPost[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<CountedPost>`
    select p.workspace_id, p.account_id, p.id, p.like_count, p.organic_likes, p.lost_likes,
      p.open_reading_at
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
      as s(workspace_id uuid, account_id uuid, id text)
    join post p
      on p.workspace_id = s.workspace_id and p.account_id = s.account_id and p.id = s.id
    where exists (select from like_order l where l.post_id = p.id)
    order by p.workspace_id, p.account_id, p.id
    for update of p
  `.execute(tx);
  return rows;
}

async function listPairedOrders(
  tx: Tx,
  postIds: readonly PostId[],
): Promise<Map<string, PairedOrder[]>> {
  if (postIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('like_order')
    .select(['post_id', 'state', 'ordered', 'bonus', 'delivered', 'known_at', 'start_count'])
    .select(['started_at', 'finished_at'])
    .where('post_id', 'in', postIds)
    .execute();
  const orders = rows.map((row): [string, PairedOrder] => [
    row.post_id,
    {
      state: row.state,
      target: row.ordered + row.bonus,
      delivered: row.delivered,
      knownAtMs: row.known_at?.getTime() ?? null,
      startCount: row.start_count,
      startedAtMs: row.started_at?.getTime() ?? null,
      finishedAtMs: row.finished_at?.getTime() ?? null,
    },
  ]);
  const byPost = Map.groupBy(orders, ([postId]) => postId);
  return new Map([...byPost].map(([id, some]) => [id, some.map(([, order]) => order)]));
}
