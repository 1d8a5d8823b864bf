import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

const post = SYNCED.find(({ table }) => table === 'post');
if (!post) throw new Error('post is not synced');

const DELIVERED = `(select sum(l.delivered) from like_order l where l.post_id = p.id)`;

const STATEMENTS = [
  `alter table like_order add column known_at timestamptz`,
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on post`,
  ),
  `drop function sync_post()`,
  `alter table post
    add column organic_likes integer check (organic_likes >= 0),
    add column lost_likes integer not null default 0 check (lost_likes >= 0),
    add column open_reading_at timestamptz`,
  // What was shown until now stays, and from now on it is kept.
  `update post p set organic_likes = greatest(0, like_count - ${DELIVERED}),
      lost_likes = greatest(0, ${DELIVERED} - like_count)
    where like_count is not null and exists (select from like_order l where l.post_id = p.id)`,
  ...triggersOf({ ...post, seen: post.seen.replace(/\)$/, ', @.organic_likes, @.lost_likes)') }),
];

/** A post keeps which of its likes are organic: they don't follow from two counts of different moments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
