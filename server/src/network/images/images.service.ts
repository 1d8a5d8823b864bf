import { createHash } from 'node:crypto';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { ImageSource } from '#server/adapters/images/image-source.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type ImageTarget, verifyImagePath } from './image-path.ts';
import { type ImageUrls, isUrlExpired, type StoredImage } from './image-urls.ts';
import { createServedPictures, type Picture, type ServedPictures } from './picture-cache.ts';
import { makeThumbnail, type ThumbnailFormat, type ThumbnailWidth } from './thumbnail.ts';

type ImageDeps = Pick<Deps, 'clock' | 'settings'> & { urls: ImageUrls; source: ImageSource };

interface ImageRequest {
  /** What stands behind `/proxy/`. */
  path: string;
  /** Of the session. */
  workspaceId: WorkspaceId;
  /** Whether the session sees an account of it. */
  sees: (accountId: AccountId) => Promise<boolean>;
  /** undefined: the picture as the network has it. */
  width: ThumbnailWidth | undefined;
  format: ThumbnailFormat;
  /** The versions the client has. */
  knownEtags: readonly string[];
}

export type ImageAnswer =
  | { kind: 'not_modified'; etag: string; maxAgeSeconds: number }
  | (Picture & { kind: 'picture'; etag: string; maxAgeSeconds: number })
  /** The network doesn't give the picture at the moment. */
  | { kind: 'unavailable' };

interface Images {
  /** @throws ApiError not_found (no such picture), not_yours (of another workspace) */
  read(request: ImageRequest): Promise<ImageAnswer>;
}

const KEPT_BYTES_MAX = 32 * 1024 * 1024;
const MAKERS_MAX = 8;
const POST_MAX_AGE_SECONDS = 86_400;
/** Profiles change their picture, and a film may get one. */
const PROFILE_MAX_AGE_SECONDS = 3600;
const PLACEHOLDER_WIDTH = 640;

/** Serves the pictures behind signed paths. */
export function createImages(deps: ImageDeps): Images {
  const cache = createServedPictures(KEPT_BYTES_MAX, MAKERS_MAX);
  return {
    async read(request) {
      const target = verifyImagePath(deps.settings.appSecret, request.path);
      if (!target) throw new ApiError('not_found', 'There’s no such picture.');
      const isTheirs =
        target.workspaceId === request.workspaceId && (await request.sees(target.accountId));
      if (!isTheirs) {
        throw new ApiError('not_yours', 'This picture belongs to another customer.');
      }
      const stored = await deps.urls.findUrl(target);
      if (!stored) throw new ApiError('not_found', 'This picture is gone.');
      return stored.url === null
        ? noPicture(request, kindOf(stored))
        : present(deps, cache, { request, target, url: stored.url });
    },
  };
}

interface Asked {
  request: ImageRequest;
  target: ImageTarget;
  url: string;
}

async function present(deps: ImageDeps, cache: ServedPictures, asked: Asked): Promise<ImageAnswer> {
  const { request, target, url } = asked;
  const { width, format } = request;
  const etag = etagOf(width === undefined ? 'original' : `${width} ${format}`, target, url);
  const maxAgeSeconds = target.kind === 'post' ? POST_MAX_AGE_SECONDS : PROFILE_MAX_AGE_SECONDS;
  if (request.knownEtags.includes(etag)) return { kind: 'not_modified', etag, maxAgeSeconds };
  const picture = await cache.get(etag, () => make(deps, asked));
  if (picture) return { kind: 'picture', ...picture, etag, maxAgeSeconds };
  return { kind: 'unavailable' };
}

async function make(
  deps: ImageDeps,
  { request: { width, format }, target, url }: Asked,
): Promise<Picture | undefined> {
  const picture = await fetchPresent(deps, target, url);
  if (!picture || width === undefined) return picture;
  const bytes = await makeThumbnail(picture.bytes, width, format);
  return bytes && { bytes, type: `image/${format}` };
}

/** The picture from the address we know, or from its present one when that has ended. */
async function fetchPresent(
  { clock, source, urls }: ImageDeps,
  target: ImageTarget,
  url: string,
): Promise<Picture | undefined> {
  const first = isUrlExpired(url, clock.now()) ? undefined : await source.fetchImage(url);
  if (first?.kind === 'image') return first;
  if (first && first.kind !== 'expired') return undefined;
  const present = await urls.refreshUrl(target, url);
  const second = present === undefined ? undefined : await source.fetchImage(present);
  return second?.kind === 'image' ? second : undefined;
}

async function noPicture(
  { width = PLACEHOLDER_WIDTH, format, knownEtags }: ImageRequest,
  kind: PlaceholderKind,
): Promise<ImageAnswer> {
  const etag = quote(`placeholder ${kind} ${width} ${format}`);
  const maxAgeSeconds = PROFILE_MAX_AGE_SECONDS;
  if (knownEtags.includes(etag)) return { kind: 'not_modified', etag, maxAgeSeconds };
  const bytes = await drawPlaceholder(kind, width, format);
  return { kind: 'picture', bytes, type: `image/${format}`, etag, maxAgeSeconds };
}

function kindOf({ mediaType }: Pick<StoredImage, 'mediaType'>): PlaceholderKind {
  if (mediaType === undefined) return 'profile';
  return mediaType === 'VIDEO' ? 'video' : 'picture';
}

/** The network signs the same file anew with every call: its path names it, host and query don't. */
function etagOf(variant: string, { kind, workspaceId, id }: ImageTarget, url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  return quote([variant, kind, workspaceId, id, path].join('|'));
}

function quote(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

import sharp from 'sharp';

/** What stands where there is no picture: of a film, of a post, of a profile. */
type PlaceholderKind = 'video' | 'picture' | 'profile';

const PAPER = '#ece5da';
const LINE = '#cdc1b1';
const SIGN = '#8d8174';

/** Rows of seats, quietly; the sign stands on the stage. */
const SEATS = [70, 110, 150, 190, 230, 270]
  .map((r) => `<circle cx="160" cy="330" r="${r}" fill="none" stroke="${LINE}" stroke-width="3"/>`)
  .join('');

const SIGNS: Record<PlaceholderKind, string> = {
  video: `<circle cx="160" cy="160" r="46" fill="${SIGN}"/><path d="M146 136l40 24-40 24z" fill="${PAPER}"/>`,
  picture: `<rect x="104" y="120" width="112" height="84" rx="8" fill="none" stroke="${SIGN}" stroke-width="8"/><path d="M112 194l30-34 22 22 18-16 26 28" fill="none" stroke="${SIGN}" stroke-width="8" stroke-linejoin="round"/><circle cx="188" cy="144" r="8" fill="${SIGN}"/>`,
  profile: `<circle cx="160" cy="130" r="38" fill="${SIGN}"/><path d="M84 236c0-44 34-62 76-62s76 18 76 62z" fill="${SIGN}"/>`,
};

/** Our own picture for where the network has none; square. */
export function drawPlaceholder(
  kind: PlaceholderKind,
  width: ThumbnailWidth,
  format: ThumbnailFormat,
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="0 0 320 320"><rect width="320" height="320" fill="${PAPER}"/>${SEATS}${SIGNS[kind]}</svg>`;
  return sharp(Buffer.from(svg), { density: (72 * width) / 320 })
    .resize({ width, height: width })
    .toFormat(format, { quality: 82 })
    .toBuffer();
}
