import { Hono, type Context } from 'hono';
import * as v from 'valibot';
import type { SandboxContext } from '../context.ts';
import type { Media, NewMedia } from '../media.ts';
import { anyScene } from '../pictures.ts';
import { Refusal, check, readJson } from '../refusal.ts';
import { storeUpload } from '../upload.ts';

/** Form fields arrive as text: 'true', 'on' and '1' mean yes. */
const flag = v.pipe(
  v.union([v.boolean(), v.string()]),
  v.transform((value) => value === true || value === 'true' || value === 'on' || value === '1'),
);
const seconds = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform(Number),
  v.number('must be a number of seconds'),
  v.minValue(0),
);
const instant = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => new Date(value).getTime()),
  v.number('must be an instant'),
);

/** Everything a new post can be told; `mediaType` is otherwise judged from the files. */
const PostBody = v.object({
  caption: v.optional(v.string()),
  mediaType: v.optional(v.picklist(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'])),
  hideLikes: v.optional(flag, false),
  timestamp: v.optional(instant),
  /** The post appears that many seconds from now. */
  afterSeconds: v.optional(seconds, 0),
  pinned: v.optional(flag, false),
  /** True: the API leaves media_url out, as for licensed audio. */
  withoutMediaUrl: v.optional(flag, false),
});

const ChangeBody = v.object({
  caption: v.optional(v.string()),
  hideLikes: v.optional(v.boolean()),
  pinned: v.optional(v.boolean()),
  withoutMediaUrl: v.optional(v.boolean()),
  organicLikes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

/**
 * `POST /control/accounts/:username/posts`: multipart with `file` (several make a carousel), or JSON
 * without files (pictures are then made); fields see PostBody -> `{id, shortcode, permalink}`.
 */
export function accountPostRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.post('/:username/posts', async (c) => {
    const account = ctx.accounts.getByName(c.req.param('username'));
    const media = await createPost(ctx, account.igId, c);
    return c.json(toCreated(ctx, media));
  });
  app.get('/:username/posts', (c) => {
    const account = ctx.accounts.getByName(c.req.param('username'));
    const media = ctx.media.listByAccount(account.igId, 500);
    return c.json(media.map((each) => ({ ...toCreated(ctx, each), ...toCounts(ctx, each) })));
  });
  return app;
}

/** `GET|PATCH|DELETE /control/posts/:id` */
export function postRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.get('/:id', (c) => c.json(toCounts(ctx, ctx.media.get(c.req.param('id')))));
  app.patch('/:id', async (c) => {
    const { caption, hideLikes, pinned, withoutMediaUrl, organicLikes } = await readJson(
      c,
      ChangeBody,
    );
    const media = ctx.media.change(c.req.param('id'), {
      ...(caption === undefined ? {} : { caption }),
      ...(hideLikes === undefined ? {} : { isLikesHidden: hideLikes }),
      ...(pinned === undefined ? {} : { isPinned: pinned }),
      ...(withoutMediaUrl === undefined ? {} : { hasMediaUrl: !withoutMediaUrl }),
      ...(organicLikes === undefined ? {} : { organicLikes }),
    });
    return c.json(toCounts(ctx, media));
  });
  app.delete('/:id', (c) => {
    const id = c.req.param('id');
    ctx.media.delete(id);
    return c.json({ id });
  });
  return app;
}

async function createPost(ctx: SandboxContext, igId: string, c: Context): Promise<Media> {
  const isJson = (c.req.header('content-type') ?? '').startsWith('application/json');
  const form: Record<string, unknown> = isJson ? {} : await c.req.parseBody({ all: true });
  const body = isJson ? await readJson(c, PostBody) : check(PostBody, form);
  const files = [form['file']].flat().filter((file) => file instanceof File);
  const stored = await storeFiles(ctx, files, body.mediaType);
  const publishAt = ctx.now() + body.afterSeconds * 1000;
  const media: NewMedia = {
    igId,
    ...stored,
    caption: body.caption ?? '',
    publishAt: body.timestamp === undefined ? publishAt : Math.min(body.timestamp, publishAt),
    takenAt: body.timestamp ?? publishAt,
    isLikesHidden: body.hideLikes,
    isPinned: body.pinned,
    hasMediaUrl: !body.withoutMediaUrl,
  };
  return ctx.media.create(media);
}

/** @throws Refusal when a file can't be taken or the kind doesn't fit the files */
async function storeFiles(
  ctx: SandboxContext,
  files: readonly File[],
  mediaType: Media['mediaType'] | undefined,
): Promise<Pick<NewMedia, 'mediaType' | 'file' | 'children'>> {
  if (files.length === 0) return madeFiles(ctx, mediaType ?? 'IMAGE');
  const uploads = [];
  for (const file of files) {
    uploads.push(await storeUpload(ctx.files, new Uint8Array(await file.arrayBuffer())));
  }
  const [first, ...rest] = uploads;
  if (!first) throw new Refusal('input', 'file: is missing');
  const judged = rest.length > 0 ? 'CAROUSEL_ALBUM' : first.mediaType;
  if (mediaType === 'VIDEO' && judged !== 'VIDEO') {
    throw new Refusal('file_kind', 'A VIDEO post needs an MP4 or WebM file.');
  }
  return {
    mediaType: mediaType ?? judged,
    file: first.file,
    children: rest.map((upload) => upload.file),
  };
}

function madeFiles(
  ctx: SandboxContext,
  mediaType: Media['mediaType'],
): Pick<NewMedia, 'mediaType' | 'file' | 'children'> {
  const count = mediaType === 'CAROUSEL_ALBUM' ? 3 : 1;
  const [file = '', ...children] = Array.from({ length: count }, () => anyScene(ctx.random));
  if (mediaType === 'VIDEO') return { mediaType, file: file.replace(/\.jpg$/, '.webm') };
  return { mediaType, file, children };
}

function toCreated(ctx: SandboxContext, media: Media): Record<string, unknown> {
  const folder = media.productType === 'REELS' ? 'reel' : 'p';
  return {
    id: media.id,
    shortcode: media.shortcode,
    permalink: `${ctx.url}/${folder}/${media.shortcode}/`,
  };
}

function toCounts(ctx: SandboxContext, media: Media): Record<string, number> {
  return {
    likeCount: media.organicLikes + media.memberLikes,
    organicLikes: media.organicLikes,
    memberLikes: media.memberLikes,
    distinctMembers: ctx.media.countDistinctMembers(media.id),
    views: media.organicViews + media.memberViews,
    memberViews: media.memberViews,
  };
}
