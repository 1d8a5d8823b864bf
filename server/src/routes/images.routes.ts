import type { Context, Hono } from 'hono';
import type { ImageSource } from '#server/adapters/images/image-source.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { noSession } from '#server/identity/users/no-session.ts';
import { LIMITS, limit } from '#server/identity/limits/rate-limit.ts';
import type { Deps } from '#server/kit/deps.ts';
import '#server/kit/http/request-context.ts';
import { seesAccount } from '#server/network/accounts/account-rights.ts';
import { createImages, type ImageAnswer } from '#server/network/images/images.service.ts';
import { createStoredImageUrls } from '#server/network/images/stored-image-urls.ts';
import {
  THUMBNAIL_WIDTHS,
  type ThumbnailFormat,
  type ThumbnailWidth,
} from '#server/network/images/thumbnail.ts';

type ImageRouteDeps = Pick<
  Deps,
  'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'
> & { imageSource: ImageSource };

/** `GET /proxy/{imagePath}`, `?w=160|320|640`: pictures of the session's workspace (D9). */
export function registerImageRoutes(app: Hono, deps: ImageRouteDeps): void {
  const { clock, settings, imageSource: source } = deps;
  const images = createImages({ clock, settings, source, urls: createStoredImageUrls(deps) });
  app.get('/proxy/:imagePath', async (c) => {
    const session = c.get('session');
    if (!session) throw noSession(c.get('sessionEnd'));
    const width = readWidth(c.req.query('w'));
    await limit(deps, { ...LIMITS.image, key: session.workspaceId });
    const answer = await images.read({
      path: c.req.param('imagePath'),
      workspaceId: session.workspaceId,
      sees: (accountId) => seesAccount(deps.database.db, session, accountId),
      width,
      format: readFormat(c.req.header('accept')),
      knownEtags: readEtags(c.req.header('if-none-match')),
    });
    return toResponse(c, answer);
  });
}

/** About how long a picture of the network that is away stays away. */
const RETRY_AFTER_SECONDS = '3';

function readWidth(text: string | undefined): ThumbnailWidth | undefined {
  if (text === undefined) return undefined;
  const width = THUMBNAIL_WIDTHS.find((each) => String(each) === text);
  if (width) return width;
  const message = `Please ask for a width of ${THUMBNAIL_WIDTHS.join(', ')} or for none`;
  throw new ApiError('invalid_input', message, { fields: { w: message } });
}

/** WebP, except for a client that names the kinds it takes and doesn't name this one. */
function readFormat(accept: string | undefined): ThumbnailFormat {
  if (accept === undefined || !/image\//i.test(accept)) return 'webp';
  return /image\/webp|image\/\*|\*\/\*/i.test(accept) ? 'webp' : 'jpeg';
}

function readEtags(header: string | undefined): string[] {
  return (header ?? '').split(',').map((etag) => etag.trim().replace(/^W\//, ''));
}

function toResponse(c: Context, answer: ImageAnswer): Response {
  c.header('x-content-type-options', 'nosniff');
  c.header('vary', 'Accept');
  if (answer.kind === 'unavailable') {
    // No picture at all: only then does the browser tell the page, which asks again later.
    c.header('cache-control', 'no-store');
    c.header('retry-after', RETRY_AFTER_SECONDS);
    return c.body(null, 503);
  }
  c.header('etag', answer.etag);
  c.header('cache-control', `private, max-age=${answer.maxAgeSeconds}`);
  if (answer.kind === 'not_modified') return c.body(null, 304);
  c.header('content-type', answer.type);
  c.header('content-length', String(answer.bytes.length));
  return c.body(Uint8Array.from(answer.bytes), 200);
}
