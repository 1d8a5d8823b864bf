import { Hono } from 'hono';
import * as v from 'valibot';
import type { SandboxContext } from '../context.ts';
import { anyScene } from '../pictures.ts';
import { readJson } from '../refusal.ts';
import { inTransaction } from '../state.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const id = v.pipe(v.string(), v.regex(/^\d{17}$/));

const PlantedBody = v.object({
  accounts: v.optional(v.array(v.object({ igId: id, username: v.string(), followers: count })), []),
  posts: v.optional(
    v.array(
      v.object({
        id,
        igId: id,
        shortcode: v.string(),
        caption: v.string(),
        takenAtMs: count,
        likes: count,
        comments: count,
      }),
    ),
    [],
  ),
});

/**
 * `POST /control/planted {accounts?, posts?}`: accounts and posts under ids of the caller's, who knows them already.
 * The same again changes no account and puts the posts anew. These accounts post by themselves, where the demo runs.
 */
export function plantedRoutes(ctx: SandboxContext): Hono {
  const account = ctx.db.prepare(
    `insert into account (ig_id, username, kind, followers, picture, is_demo, created_at)
     values (?, ?, 'business', ?, ?, 1, ?) on conflict (ig_id) do nothing`,
  );
  const post = ctx.db.prepare(
    `insert or replace into media (id, ig_id, shortcode, media_type, product_type, caption, file,
       taken_at, publish_at, organic_likes, comments)
     values (?, ?, ?, 'IMAGE', 'FEED', ?, ?, ?, ?, ?, ?)`,
  );
  return new Hono().post('/', async (c) => {
    const { accounts, posts } = await readJson(c, PlantedBody);
    inTransaction(ctx.db, () => {
      for (const { igId, username, followers } of accounts) {
        account.run(igId, username, followers, `face/${igId.slice(-9)}.jpg`, ctx.now());
      }
      for (const { id: postId, igId, shortcode, caption, takenAtMs, likes, comments } of posts) {
        const file = anyScene(ctx.random);
        post.run(postId, igId, shortcode, caption, file, takenAtMs, takenAtMs, likes, comments);
      }
    });
    return c.json({ accounts: accounts.length, posts: posts.length });
  });
}
