import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { MediaType } from '#shared/contract/accounts/post.ts';
import { type AutomaticOutcome, UNDECIDED } from '#shared/domain/delivery/automatic-likes.ts';
import type { AccountId, IgId, PostId, WorkspaceId } from '#shared/domain/ids.ts';
import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AccountRow } from '../accounts/account.repository.ts';
import { pairReadings } from './like-pair.repository.ts';
import type { PostTable } from '#server/kit/db/tables/post.table.ts';

export type PostRow = Selectable<PostTable>;

/** A post as the network shows it now. */
export interface SeenPost {
  workspaceId: WorkspaceId;
  accountId: AccountId;
  post: NetworkPost;
  /** Its place in the list that was read, 0 the newest. */
  listPosition: number;
  readAt: Date;
  /** For a post that isn't known yet: when a poll saw it appear; null for one from before. */
  detectedAt: Date | null;
}

/**
 * Stores posts read for one account outside detection (sign-up, checkout, an empty page). Whether they
 * get automatic likes is not decided here: the account's next poll does.
 */
export async function storePosts(
  tx: Tx,
  change: {
    workspaceId: WorkspaceId;
    accountId: AccountId;
    reading: { posts: readonly NetworkPost[]; readAt: Date };
  },
): Promise<void> {
  const { workspaceId, accountId, reading } = change;
  const { posts, readAt } = reading;
  await upsertPosts(
    tx,
    posts.map((post, listPosition) => ({
      workspaceId,
      accountId,
      post,
      listPosition,
      readAt,
      detectedAt: null,
    })),
  );
}

const HAS_ORDERS = (post: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from like_order l where l.post_id = ${sql.ref(post)})`;

/**
 * Inserts posts that aren't known, `UNDECIDED`, and refreshes the others; a post
 * that is seen again isn't deleted. Counts of posts with orders are paired with what we have delivered.
 * @returns the ids of the inserted ones
 */
export async function upsertPosts(
  tx: Tx,
  seen: readonly SeenPost[],
): Promise<Array<{ accountId: AccountId; id: string }>> {
  if (seen.length === 0) return [];
  const { rows } = await sql<{
    workspaceId: WorkspaceId;
    accountId: AccountId;
    id: string;
    isNew: boolean;
  }>`
    insert into post as p (workspace_id, account_id, id, shortcode, media_type, caption, permalink,
      image_url, taken_at, list_position, like_count, comment_count, detected_at, open_reading_at,
      organic_likes, automatic_outcome)
    select s.*, case when ${HAS_ORDERS('s.id')} then 0 end, ${sql.lit(UNDECIDED)}
    from jsonb_to_recordset(${JSON.stringify(toRows(seen))}::text::jsonb) as s(
      workspace_id uuid, account_id uuid, id text, shortcode text, media_type text, caption text,
      permalink text, image_url text, taken_at timestamptz, list_position smallint,
      like_count integer,
      comment_count integer, detected_at timestamptz, open_reading_at timestamptz)
    order by s.workspace_id, s.account_id, s.id
    on conflict (workspace_id, account_id, id) do update set
      shortcode = excluded.shortcode, media_type = excluded.media_type,
      caption = excluded.caption, permalink = excluded.permalink,
      image_url = coalesce(excluded.image_url, p.image_url),
      like_count = excluded.like_count, comment_count = excluded.comment_count,
      missing_polls = 0, deleted_at = null,
      open_reading_at = case when p.like_count is distinct from excluded.like_count
        then excluded.open_reading_at else p.open_reading_at end,
      organic_likes = case when ${HAS_ORDERS('p.id')}
        then coalesce(p.organic_likes, p.like_count, 0) end
    where p.like_count is distinct from excluded.like_count
      or p.comment_count <> excluded.comment_count or p.caption <> excluded.caption
      or p.missing_polls <> 0 or p.deleted_at is not null
      or split_part(p.image_url, '?', 1) is distinct from split_part(excluded.image_url, '?', 1)
    returning p.workspace_id as "workspaceId", p.account_id as "accountId", p.id, p.xmax = 0 as "isNew"
  `.execute(tx);
  await pairReadings(
    tx,
    rows.map(({ workspaceId, accountId, id }) => ({
      workspace_id: workspaceId,
      account_id: accountId,
      id,
    })),
  );
  return rows.filter(({ isNew }) => isNew);
}

function toRows(seen: readonly SeenPost[]): unknown[] {
  // One statement can't touch a row twice, and a page may name a post twice (pinned).
  const once = new Map(seen.map((each) => [`${each.accountId} ${each.post.id}`, each]));
  return [...once.values()].map(({ post, ...seen }) => ({
    workspace_id: seen.workspaceId,
    account_id: seen.accountId,
    id: post.id,
    shortcode: post.shortcode,
    media_type: post.mediaType,
    caption: post.caption.replaceAll('\0', ''),
    permalink: post.permalink,
    image_url: post.imageUrl ?? null,
    taken_at: new Date(post.takenAtMs),
    list_position: seen.listPosition,
    like_count: post.likeCount,
    comment_count: post.commentCount,
    detected_at: seen.detectedAt,
    open_reading_at: post.likeCount === null ? null : seen.readAt,
  }));
}

interface PostPage {
  workspaceId: WorkspaceId;
  accountId: AccountId;
  limit: number;
  /** Only older ones. */
  before?: Date | undefined;
  /** The post taken then that the page before ended with; those behind it in that second come too. */
  beforeId?: string | undefined;
}

/** Ids of an account's posts, newest first; within a second as the network lists them, then by id. */
export async function listPostIds(db: Db, filter: PostPage): Promise<string[]> {
  let query = db
    .selectFrom('post')
    .select('id')
    .where('workspace_id', '=', filter.workspaceId)
    .where('account_id', '=', filter.accountId);
  const { before, beforeId } = filter;
  if (before) {
    query = query.where((where) =>
      where.or([
        where('taken_at', '<', before),
        ...(beforeId === undefined ? [] : [isBehind(filter, before, beforeId)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('taken_at', 'desc')
    .orderBy('list_position')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Of the same moment as a post, and behind it in the list; none when that post is unknown. */
function isBehind(
  { workspaceId, accountId }: PostPage,
  takenAt: Date,
  postId: PostId,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(taken_at = ${takenAt} and exists (
    select from post edge
    where edge.workspace_id = ${workspaceId} and edge.account_id = ${accountId}
      and edge.id = ${postId} and (post.list_position > edge.list_position
        or (post.list_position = edge.list_position and post.id < edge.id))))`;
}

/** A post that likes are ordered for. */
export interface PostToLike {
  id: string;
  igId: IgId;
  shortcode: string;
  mediaType: MediaType;
  takenAt: Date;
  deletedAt: Date | null;
}

/**
 * A post of a connected account, held as it is until the end of the transaction: a deletion that is
 * found meanwhile comes after it and then finds the order it has to end.
 */
export async function lockPostToLike(
  tx: Tx,
  { workspace_id: workspaceId, id: accountId, ig_id: igId }: AccountRow,
  postId: PostId,
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

export interface PostKey {
  workspaceId: WorkspaceId;
  accountId: AccountId;
  postId: PostId;
}

/** How a post was decided. */
export interface DecidedPost {
  workspaceId: WorkspaceId;
  accountId: AccountId;
  id: string;
  outcome: AutomaticOutcome;
  /** Detected then, where it isn't said to have been before. */
  detectedAt: Date | null;
}

export async function setOutcomes(tx: Tx, decided: readonly DecidedPost[]): Promise<void> {
  if (decided.length === 0) return;
  await sql`
    update post p
    set automatic_outcome = s.outcome, detected_at = coalesce(p.detected_at, s."detectedAt")
    from jsonb_to_recordset(${JSON.stringify(decided)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, id text, outcome text, "detectedAt" timestamptz)
    where p.workspace_id = s."workspaceId" and p.account_id = s."accountId" and p.id = s.id
  `.execute(tx);
}
