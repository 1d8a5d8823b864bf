import { Hono } from 'hono';
import * as v from 'valibot';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { ACCOUNT_KINDS, type Account, type NewAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import { anyScene } from '../pictures.ts';
import { readJson } from '../refusal.ts';
import { inTransaction } from '../state.ts';

const POSTS_MAX = 5000;
const ACCOUNTS_MAX = 100_000;

const NewAccountBody = v.object({
  username: v.string(),
  kind: v.optional(v.picklist(ACCOUNT_KINDS), 'business'),
  name: v.optional(v.string()),
  bio: v.optional(v.string()),
  followers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  posts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(POSTS_MAX)), 0),
});
type NewAccountBody = v.InferOutput<typeof NewAccountBody>;

const ManyBody = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(ACCOUNTS_MAX)),
  prefix: v.optional(v.string(), 'account'),
  kind: v.optional(v.picklist(ACCOUNT_KINDS), 'business'),
  posts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(POSTS_MAX)), 0),
});

const AccountsBody = v.union([
  ManyBody,
  NewAccountBody,
  v.pipe(v.array(NewAccountBody), v.maxLength(ACCOUNTS_MAX)),
]);
const ChangeBody = v.object({
  kind: v.optional(v.picklist(ACCOUNT_KINDS)),
  bio: v.optional(v.pipe(v.string(), v.maxLength(150))),
  followers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
const RenameBody = v.object({ username: v.string() });

/**
 * - `POST /control/accounts {username, kind, posts?, ...}` -> `{igId, username}`
 * - the same with an array, or `{count, prefix, kind, posts?}` (names prefix0, prefix1, ...) -> array
 * - `GET /control/accounts`, `GET|PATCH /control/accounts/:username {kind?, bio?, followers?}`
 * - `POST /control/accounts/:username/rename {username}`
 */
export function accountRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.post('/', async (c) => {
    const body = await readJson(c, AccountsBody);
    if ('count' in body) return c.json(createAll(ctx, numbered(body)));
    if (Array.isArray(body)) return c.json(createAll(ctx, body));
    return c.json(createAll(ctx, [body])[0] ?? null);
  });
  app.get('/', (c) => c.json(ctx.accounts.list(200).map(toAnswer)));
  app.get('/:username', (c) => c.json(toAnswer(ctx.accounts.getByName(c.req.param('username')))));
  app.patch('/:username', async (c) => {
    const { kind, bio, followers } = await readJson(c, ChangeBody);
    const change = {
      ...(kind === undefined ? {} : { kind }),
      ...(bio === undefined ? {} : { bio }),
      ...(followers === undefined ? {} : { followers }),
    };
    return c.json(toAnswer(ctx.accounts.change(c.req.param('username'), change)));
  });
  app.post('/:username/rename', async (c) => {
    const { username } = await readJson(c, RenameBody);
    const account = ctx.accounts.rename(c.req.param('username'), username);
    return c.json({ igId: account.igId, username: account.username });
  });
  return app;
}

function numbered({
  count,
  prefix,
  kind,
  posts,
}: v.InferOutput<typeof ManyBody>): NewAccountBody[] {
  return Array.from({ length: count }, (_, index) => ({
    username: `${prefix}${index}`,
    kind,
    posts,
  }));
}

/** All or none. */
function createAll(
  ctx: SandboxContext,
  bodies: readonly NewAccountBody[],
): { igId: string; username: string }[] {
  return inTransaction(ctx.db, () =>
    bodies.map((body) => {
      const { username, kind, name, bio, followers } = body;
      const account: NewAccount = {
        username,
        kind,
        ...(name === undefined ? {} : { name }),
        ...(bio === undefined ? {} : { bio }),
        ...(followers === undefined ? {} : { followers }),
      };
      const { igId, username: stored } = ctx.accounts.create(account);
      addBackdatedPosts(ctx, igId, body.posts);
      return { igId, username: stored };
    }),
  );
}

function toAnswer(account: Account): Record<string, unknown> {
  const { igId, username, kind, name, followers, isDemo } = account;
  return { igId, username, kind, name, followers, isDemo };
}

/** Gives an account `count` posts with pictures, some hours to a day and a half apart. */
function addBackdatedPosts(ctx: SandboxContext, igId: string, count: number): void {
  let takenAt = ctx.now();
  for (let index = 0; index < count; index += 1) {
    takenAt -= Math.round((5 + ctx.random() * 30) * HOUR_MS);
    ctx.media.create({
      igId,
      mediaType: 'IMAGE',
      file: anyScene(ctx.random),
      takenAt,
      publishAt: takenAt,
      organicLikes: 5 + Math.floor(ctx.random() ** 2 * 240),
      comments: Math.floor(ctx.random() * 12),
    });
  }
}
