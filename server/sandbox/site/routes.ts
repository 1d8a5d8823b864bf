import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { ACCOUNT_KINDS, type AccountKind } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import { sendFile } from '../files.ts';
import type { Pictures } from '../pictures.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../state.ts';
import { storeUpload } from '../upload.ts';
import { feedPage, listLikers, postPage } from './feed-page.ts';
import { MARK_SVG, page, postPath, type LiveCounts, liveCounts } from './page.ts';
import { newAccountPage, profilePage } from './profile-page.ts';

const FEED_POSTS = 24;
const PEOPLE_SHOWN = 14;
const GRID_POSTS = 120;
const CSP =
  "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** The network's own page: feed, profiles, posts, upload. */
export function registerSite(app: Hono, ctx: SandboxContext, pictures: Pictures): void {
  app.route('/pic', pictureRoutes(ctx, pictures));
  app.route('/live', liveRoutes(ctx));
  registerAssets(app);
  registerPages(app, ctx);
  registerForms(app, ctx);
}

const send = (
  c: Context,
  markup: ReturnType<typeof page>,
  status: 200 | 400 | 404 | 409 | 413 | 415 = 200,
) => {
  c.header('content-security-policy', CSP);
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
  return c.html(markup, status);
};

function registerPages(app: Hono, ctx: SandboxContext): void {
  app.get('/', (c) => {
    const items = ctx.media.listNewest(FEED_POSTS).flatMap((media) => {
      const account = ctx.accounts.find(media.igId);
      return account && account.kind !== 'private' ? [{ media, account }] : [];
    });
    return send(c, feedPage(items, ctx.accounts.list(PEOPLE_SHOWN), ctx.now()));
  });
  app.get('/new', (c) => send(c, newAccountPage('')));
  app.get('/u/:username', (c) => {
    const account = ctx.accounts.findByName(c.req.param('username'));
    return account ? send(c, profileOf(ctx, account.username)) : missing(c);
  });
  for (const folder of ['p', 'reel']) {
    app.get(`/${folder}/:shortcode/`, (c) => {
      const media = ctx.media.findLiveByShortcode(c.req.param('shortcode') ?? '');
      const account = media && ctx.accounts.find(media.igId);
      if (!media || !account) return missing(c);
      return send(c, postPage({ media, account, likers: listLikers(ctx, media), now: ctx.now() }));
    });
  }
}

function registerForms(app: Hono, ctx: SandboxContext): void {
  app.post('/new', async (c) => {
    const form = await c.req.parseBody();
    const username = text(form['username']);
    return attempt(
      c,
      () => {
        const account = ctx.accounts.create({ username, kind: toKind(form['kind']), followers: 0 });
        return `/u/${account.username}`;
      },
      (problem) => newAccountPage(username, problem),
    );
  });
  app.post('/u/:username/posts', async (c) => {
    const account = ctx.accounts.getByName(c.req.param('username'));
    const form = await c.req.parseBody();
    return attempt(
      c,
      async () => {
        const file = form['file'];
        if (!(file instanceof File) || file.size === 0) {
          throw new Refusal('input', 'Choose a picture or a video first.');
        }
        const upload = await storeUpload(ctx.files, new Uint8Array(await file.arrayBuffer()));
        const caption = text(form['caption']).slice(0, 2200);
        const isLikesHidden = form['hideLikes'] === 'on';
        return postPath(
          ctx.media.create({ igId: account.igId, ...upload, caption, isLikesHidden }),
        );
      },
      (problem) => profileOf(ctx, account.username, problem),
    );
  });
  app.post('/u/:username/rename', async (c) => {
    const username = c.req.param('username');
    const form = await c.req.parseBody();
    return attempt(
      c,
      () =>
        inTransaction(ctx.db, () => {
          const account = ctx.accounts.rename(username, text(form['username']));
          ctx.accounts.change(account.username, { kind: toKind(form['kind']) });
          return `/u/${account.username}`;
        }),
      (problem) => profileOf(ctx, username, problem),
    );
  });
  app.post('/posts/:id/delete', (c) => {
    const media = ctx.media.get(c.req.param('id'));
    ctx.media.delete(media.id);
    return c.redirect(`/u/${ctx.accounts.find(media.igId)?.username ?? ''}`, 303);
  });
}

/** Goes where the work says, or shows the page again with what was refused. */
async function attempt(
  c: Context,
  work: () => string | Promise<string>,
  again: (problem: string) => ReturnType<typeof page>,
): Promise<Response> {
  try {
    return c.redirect(await work(), 303);
  } catch (error) {
    if (error instanceof Refusal) return send(c, again(error.message), error.status);
    throw error;
  }
}

function profileOf(
  ctx: SandboxContext,
  username: string,
  problem?: string,
): ReturnType<typeof page> {
  const account = ctx.accounts.getByName(username);
  return profilePage({
    account,
    media: ctx.media.listByAccount(account.igId, GRID_POSTS),
    postCount: ctx.media.countByAccount(account.igId),
    problem,
  });
}

function missing(c: Context): Response | Promise<Response> {
  const body = html`<section class="narrow">
    <h1>There’s no page here</h1>
    <p>The post may be gone, or the account may have a new name.</p>
    <p><a href="/">See the newest posts</a></p>
  </section>`;
  return send(c, page({ title: 'Not here', body }), 404);
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const toKind = (value: unknown): AccountKind =>
  ACCOUNT_KINDS.find((kind) => kind === value) ?? 'business';

function registerAssets(app: Hono): void {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const font = createRequire(import.meta.url).resolve(
    '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  );
  const mark = MARK_SVG;
  app.get('/site/site.css', () => sendFile(here('site.css'), undefined, 'no-cache'));
  for (const name of ['site.js', 'bank-done.js']) {
    app.get(`/site/${name}`, () => sendFile(here(name), undefined, 'no-cache'));
  }
  app.get('/site/font.woff2', () => sendFile(font, undefined, 'public, max-age=86400'));
  app.get('/site/mark.svg', (c) => c.body(mark, 200, { 'content-type': 'image/svg+xml' }));
}

const IDS_MAX = 60;

/** The figures the pages ask for every other second. */
function liveRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.get('/counts', (c) => {
    const ids = (c.req.query('ids') ?? '').split(',').slice(0, IDS_MAX);
    const posts: Record<string, LiveCounts> = {};
    for (const id of ids) {
      const media = ctx.media.findLive(id);
      if (media) posts[id] = liveCounts(media);
    }
    return c.json({ posts, newest: ctx.media.listNewest(1)[0]?.id ?? null });
  });
  app.get('/likers/:id', (c) => {
    const media = ctx.media.findLive(c.req.param('id'));
    return c.json(media ? listLikers(ctx, media) : []);
  });
  return app;
}

const WIDTHS: ReadonlySet<string> = new Set(['96', '320', '640']);
const CACHE = 'private, max-age=86400';

/** The pages' own pictures: `/pic/m/:id[?n=][?w=]` of a post, `/pic/a/:igId[?w=]` of a profile. */
function pictureRoutes(ctx: SandboxContext, pictures: Pictures): Hono {
  const app = new Hono();
  const send = async (
    key: string | undefined,
    width: string,
    range?: string,
  ): Promise<Response> => {
    const path = key === undefined ? undefined : await pictures.ensure(key);
    if (key === undefined || path === undefined) return new Response('Not found', { status: 404 });
    if (!WIDTHS.has(width) || !path.endsWith('.jpg')) return sendFile(path, range, CACHE);
    const small = `small/${key.replace(/[^A-Za-z0-9]/g, '-')}-${width}.jpg`;
    if (!ctx.files.has(small)) ctx.files.put(small, await scale(path, Number(width)));
    return sendFile(ctx.files.path(small), undefined, CACHE);
  };
  app.get('/m/:id', (c) => {
    const media = ctx.media.findLive(c.req.param('id'));
    const index = Number(c.req.query('n') ?? 0);
    const key = index > 0 ? media?.children[index - 1] : media?.file;
    return send(key, c.req.query('w') ?? '', c.req.header('range'));
  });
  app.get('/a/:igId', (c) =>
    send(ctx.accounts.find(c.req.param('igId'))?.picture, c.req.query('w') ?? ''),
  );
  return app;
}

function scale(path: string, width: number): Promise<Uint8Array> {
  return sharp(path).resize({ width, withoutEnlargement: true }).jpeg({ quality: 82 }).toBuffer();
}
