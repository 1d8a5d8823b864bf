import type { Hono } from 'hono';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { SandboxContext } from './context.ts';
import type { Pictures } from './pictures.ts';
import { Refusal } from './refusal.ts';
import { sendFile } from './files.ts';

/**
 * The network's image host: `/cdn/m/<post>[_n].<ext>` and `/cdn/p/<account>.jpg`. Addresses come from
 * the Graph API and stop working at `oe` (403), as on the real one.
 */
export function registerCdn(
  app: Hono,
  ctx: SandboxContext,
  imageUrls: ImageUrls,
  pictures: Pictures,
): void {
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

/**
 * Addresses on the network's image host: `/cdn/<folder>/<name>?oe=<hex unix>&oh=<signature>`. They
 * stop working at `oe`; the signature covers path and `oe`.
 */
export interface ImageUrls {
  /** Path and query, without what differs per call. */
  sign(path: string, expiresAtSeconds: number): string;
  /** Whether `oh` fits path and `oe`, and `oe` has not passed. */
  isValid(path: string, oe: string, oh: string, nowMs: number): boolean;
}

export function createImageUrls(db: DatabaseSync): ImageUrls {
  const secret = String(
    db.prepare("select value from meta where key = 'image_secret'").get()?.['value'],
  );
  const signature = (path: string, oe: string): string =>
    createHmac('sha256', secret).update(`${path}?${oe}`).digest('hex').slice(0, 32);
  return {
    sign(path, expiresAtSeconds) {
      const oe = expiresAtSeconds.toString(16).toUpperCase();
      return `${path}?oe=${oe}&oh=${signature(path, oe)}`;
    },
    isValid(path, oe, oh, nowMs) {
      const expected = Buffer.from(signature(path, oe));
      const given = Buffer.from(oh);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return Number.parseInt(oe, 16) * 1000 > nowMs;
    },
  };
}
