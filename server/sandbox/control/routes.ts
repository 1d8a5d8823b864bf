import { Hono } from 'hono';
import * as v from 'valibot';
import { CARD_SCENARIOS } from '../cards.ts';
import type { SandboxContext } from '../context.ts';
import { FAULT_SYSTEMS, type FaultSystem } from '../faults.ts';
import { GRAPH_SCENARIOS } from '../graph/scenarios.ts';
import { MAIL_SCENARIOS } from '../mail/smtp-sink.ts';
import { PROVIDER_SCENARIOS } from '../provider.ts';
import { Refusal, readJson } from '../refusal.ts';
import { accountRoutes } from './accounts.routes.ts';
import { accountPostRoutes, postRoutes } from './posts.routes.ts';
import { anyScene } from '../pictures.ts';
import { inTransaction } from '../state.ts';

/** The control calls about accounts, posts, faults and statistics. */
export function registerControl(app: Hono, ctx: SandboxContext): void {
  const control = new Hono();
  control.route('/accounts', accountRoutes(ctx));
  control.route('/accounts', accountPostRoutes(ctx));
  control.route('/posts', postRoutes(ctx));
  control.route('/planted', plantedRoutes(ctx));
  control.route('/faults', faultRoutes(ctx));
  control.get('/stats', (c) => c.json(ctx.stats.read()));
  app.route('/control', control);
}

const SCENARIOS: Readonly<Record<FaultSystem, readonly string[]>> = {
  graph: GRAPH_SCENARIOS,
  provider: PROVIDER_SCENARIOS,
  cards: CARD_SCENARIOS,
  mail: MAIL_SCENARIOS,
};

const FaultBody = v.looseObject({
  system: v.picklist(FAULT_SYSTEMS),
  scenario: v.pipe(v.string(), v.minLength(1)),
});

/** `POST /control/faults {system, scenario, ...}`, `DELETE /control/faults[?system=]`, `GET` lists. */
function faultRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.post('/', async (c) => {
    const { system, scenario, ...options } = await readJson(c, FaultBody);
    if (!SCENARIOS[system].includes(scenario)) {
      throw new Refusal('input', `scenario: one of ${SCENARIOS[system].join(', ')}`);
    }
    ctx.faults.set(system, scenario, options);
    return c.json({ system, scenario });
  });
  app.get('/', (c) =>
    c.json(
      FAULT_SYSTEMS.flatMap((system) =>
        ctx.faults
          .active(system)
          .map(({ scenario, options }) => ({ ...options, system, scenario })),
      ),
    ),
  );
  app.delete('/', (c) => {
    const system = FAULT_SYSTEMS.find((known) => known === c.req.query('system'));
    ctx.faults.clear(system);
    return c.json({ cleared: system ?? 'all' });
  });
  return app;
}

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
        memberLikes: v.optional(count, 0),
        comments: count,
      }),
    ),
    [],
  ),
});

/**
 * `POST /control/planted {accounts?, posts?}`: accounts and posts under ids of the caller's, who knows them already.
 * Who the members were that liked a post is not kept of these. The same again changes no account and puts the posts anew. These accounts post by themselves, where the demo runs.
 */
function plantedRoutes(ctx: SandboxContext): Hono {
  const account = ctx.db.prepare(
    `insert into account (ig_id, username, kind, followers, picture, is_demo, created_at)
     values (?, ?, 'business', ?, ?, 1, ?) on conflict (ig_id) do nothing`,
  );
  const post = ctx.db.prepare(
    `insert or replace into media (id, ig_id, shortcode, media_type, product_type, caption, file,
       taken_at, publish_at, organic_likes, member_likes, comments)
     values (?, ?, ?, 'IMAGE', 'FEED', ?, ?, ?, ?, ?, ?, ?)`,
  );
  return new Hono().post('/', async (c) => {
    const { accounts, posts } = await readJson(c, PlantedBody);
    inTransaction(ctx.db, () => {
      for (const { igId, username, followers } of accounts) {
        account.run(igId, username, followers, `face/${igId.slice(-9)}.jpg`, ctx.now());
      }
      for (const { id: postId, igId, shortcode, caption, takenAtMs: at, ...counts } of posts) {
        const { likes, memberLikes, comments } = counts;
        const file = anyScene(ctx.random);
        post.run(postId, igId, shortcode, caption, file, at, at, likes, memberLikes, comments);
      }
    });
    return c.json({ accounts: accounts.length, posts: posts.length });
  });
}
