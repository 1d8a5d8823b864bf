import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from '../accounts/account.repository.ts';
import type { PostEvents } from './post-events.ts';
import type { PostKey } from '../posts/post.repository.ts';

/** So many polls in a row must have missed a post before the network is asked about it. */
const POLLS_TO_CONFIRM = 2;
/** A post that exists, though polls don't show it, is asked about again after so many more of them. */
const POLLS_OF_GRACE = 50;

/** What one poll showed: every live post newer than `cutoffAt` should be among `ids`. */
interface PollWindow extends AccountKey {
  /** undefined: the whole account was shown. */
  cutoffAt: Date | undefined;
  ids: string[];
}

/** The window of a page; undefined when it says nothing about what is missing. */
export function windowOf(
  key: AccountKey,
  page: {
    posts: ReadonlyArray<{ id: string; takenAtMs: number }>;
    after: string | undefined;
  },
): PollWindow | undefined {
  const ids = page.posts.map(({ id }) => id);
  if (page.after === undefined) return { ...key, cutoffAt: undefined, ids };
  // Pinned posts stand on top, however old: the last entry is the oldest of the newest.
  const last = page.posts.at(-1);
  return last && { ...key, cutoffAt: new Date(last.takenAtMs), ids };
}

export interface MissingPost extends PostKey {
  isToConfirm: boolean;
}

/** Counts a poll for every post that its window should have shown and didn't. */
export async function countMissing(tx: Tx, windows: readonly PollWindow[]): Promise<MissingPost[]> {
  if (windows.length === 0) return [];
  const values = windows.map(({ workspaceId, accountId, cutoffAt, ids }) => ({
    workspaceId,
    accountId,
    cutoffAt: cutoffAt ?? '-infinity',
    ids,
  }));
  const { rows } = await sql<PostKey & { missingPolls: number }>`
    update post p set missing_polls = least(p.missing_polls + 1, ${POLLS_TO_CONFIRM})
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as w(
      "workspaceId" uuid, "accountId" uuid, "cutoffAt" timestamptz, ids text[])
    where p.workspace_id = w."workspaceId" and p.account_id = w."accountId"
      and p.taken_at > w."cutoffAt" and p.deleted_at is null and not p.id = any(w.ids)
    returning p.workspace_id as "workspaceId", p.account_id as "accountId", p.id as "postId",
      p.missing_polls as "missingPolls"
  `.execute(tx);
  return rows
    .filter(({ missingPolls }) => missingPolls > 0)
    .map(({ missingPolls, ...key }) => ({
      ...key,
      isToConfirm: missingPolls >= POLLS_TO_CONFIRM,
    }));
}

/** The network says the post is gone: its orders end, unless a poll has seen it again meanwhile. */
export async function markDeleted(
  tx: Tx,
  events: PostEvents,
  post: PostKey,
  now: Date,
): Promise<void> {
  const { workspaceId, accountId, postId } = post;
  const { numUpdatedRows } = await tx
    .updateTable('post')
    .set({ deleted_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '=', postId)
    .where('deleted_at', 'is', null)
    .where('missing_polls', '>=', POLLS_TO_CONFIRM)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await events.onPostDeleted(tx, post, now);
}

/** The network says the post exists although polls don't show it. */
export async function giveGrace(
  db: Db,
  { workspaceId, accountId, postId }: PostKey,
): Promise<void> {
  await db
    .updateTable('post')
    .set({ missing_polls: -POLLS_OF_GRACE })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '=', postId)
    .execute();
}
