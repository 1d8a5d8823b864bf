import { Hono } from 'hono';
import sharp from 'sharp';
import type { SandboxContext } from '../context.ts';
import type { PictureMaker } from '../pictures/picture-maker.ts';
import { sendFile } from '../send-file.ts';

const WIDTHS: ReadonlySet<string> = new Set(['96', '320', '640']);
const CACHE = 'private, max-age=86400';

/** The pages' own pictures: `/pic/m/:id[?n=][?w=]` of a post, `/pic/a/:igId[?w=]` of a profile. */
export function pictureRoutes(ctx: SandboxContext, pictures: PictureMaker): Hono {
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
