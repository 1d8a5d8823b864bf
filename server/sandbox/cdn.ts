import type { Hono } from 'hono';
import type { SandboxContext, SandboxPart } from './context.ts';
import type { ImageUrls } from './image-urls.ts';
import type { PictureMaker } from './pictures/picture-maker.ts';
import { Refusal } from './refusal.ts';
import { sendFile } from './send-file.ts';

/**
 * The network's image host: `/cdn/m/<post>[_n].<ext>` and `/cdn/p/<account>.jpg`. Addresses come from
 * the Graph API and stop working at `oe` (403), as on the real one.
 */
export function registerCdn(
  app: Hono,
  ctx: SandboxContext,
  imageUrls: ImageUrls,
  pictures: PictureMaker,
): SandboxPart {
  app.get('/cdn/:kind{[mp]}/:name', async (c) => {
    ctx.stats.count('cdn.files');
    const { oe = '', oh = '' } = c.req.query();
    const isExpired = ctx.faults.take('graph', 'image_expired') !== undefined;
    if (isExpired || !imageUrls.isValid(c.req.path, oe, oh, ctx.now())) {
      return c.text('URL signature expired', 403);
    }
    const key = findKey(ctx, c.req.param('kind'), c.req.param('name'));
    const path = key && (await pictures.ensure(key));
    if (!path) return c.text('Not found', 404);
    return sendFile(path, c.req.header('range'), 'public, max-age=1209600');
  });
  return {};
}

function findKey(ctx: SandboxContext, kind: string, name: string): string | undefined {
  const match = /^(\d{17})(?:_(\d{1,2}))?\./.exec(name);
  const id = match?.[1] ?? '';
  if (kind === 'p') return ctx.accounts.find(id)?.picture;
  try {
    const media = ctx.media.get(id);
    return match?.[2] === undefined ? media.file : media.children[Number(match[2]) - 1];
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
