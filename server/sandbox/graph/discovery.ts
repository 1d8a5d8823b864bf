import { HOUR_MS } from '#shared/domain/durations.ts';
import type { Account } from '../accounts.ts';
import type { ImageUrls } from '../cdn.ts';
import type { SandboxContext } from '../context.ts';
import { numberOption, textOption } from '../faults.ts';
import type { Media } from '../media.ts';
import { unknownName, invalidCursor } from './errors.ts';
import { mediaJson, PROFILE_FIELDS, toJson, type AnswerUrls } from './media-json.ts';
import type { DiscoveryQuery, MediaQuery } from './query.ts';

/** Answers Business Discovery calls. */
export interface Discovery {
  /**
   * The JSON of `business_discovery`.
   * @throws GraphError
   */
  answer(username: string, query: DiscoveryQuery): string;
  /** Addresses for one post or profile asked for by itself. */
  urls(): AnswerUrls;
}

/** A rendered answer, split where the per-call mark of image addresses goes. */
interface Answer {
  parts: readonly string[];
  validUntil: number;
}

interface Known {
  username: string;
  answers: Map<DiscoveryQuery, Answer>;
}

const IMAGE_LIFETIME_SECONDS = 4 * 86_400;
const ANSWER_LIFETIME_MS = HOUR_MS;
const CACHED_ACCOUNTS_MAX = 20_000;

/**
 * Answers are kept per account and query (queries are shared objects, see routes.ts) until the
 * account changes, a coming post appears, or an hour passes.
 */
export function createDiscovery(ctx: SandboxContext, imageUrls: ImageUrls): Discovery {
  const cache = createAnswerCache(ctx);
  const mark = createMark(ctx.random);
  return {
    answer(username, query) {
      // While scenarios are played nothing is kept: they may change any part of an answer.
      const isCacheable = !query.media?.after && ctx.faults.active('graph').length === 0;
      const name = username.toLowerCase();
      const cached = isCacheable ? cache.find(name, query) : undefined;
      if (cached) return cached.parts.join(mark.next());
      const account = ctx.accounts.findByName(name);
      if (!account || !ctx.accounts.isReadable(account)) throw unknownName(username);
      const json = discoveryJson(ctx, account, query, createUrls(ctx, imageUrls, mark.sentinel));
      const answer: Answer = {
        parts: JSON.stringify(json).split(mark.sentinel),
        validUntil: Math.min(ctx.now() + ANSWER_LIFETIME_MS, ctx.media.nextPublishAt(account.igId)),
      };
      if (isCacheable) cache.put(account, query, answer);
      return answer.parts.join(mark.next());
    },
    urls: () => createUrls(ctx, imageUrls, mark.next()),
  };
}

function createAnswerCache(ctx: SandboxContext): {
  find(username: string, query: DiscoveryQuery): Answer | undefined;
  put(account: Account, query: DiscoveryQuery, answer: Answer): void;
} {
  const byName = new Map<string, Known>();
  const byId = new Map<string, Known>();
  ctx.onAccountChanged((igId) => {
    const known = byId.get(igId);
    if (!known) return;
    byId.delete(igId);
    byName.delete(known.username);
  });
  return {
    find(username, query) {
      const answer = byName.get(username)?.answers.get(query);
      return answer && ctx.now() < answer.validUntil ? answer : undefined;
    },
    put(account, query, answer) {
      let known = byId.get(account.igId);
      if (!known) {
        if (byId.size >= CACHED_ACCOUNTS_MAX) {
          byId.clear();
          byName.clear();
        }
        known = { username: account.username, answers: new Map() };
        byId.set(account.igId, known);
        byName.set(account.username, known);
      }
      known.answers.set(query, answer);
    },
  };
}

/** Image addresses differ in each answer by a mark that says nothing, as on the real network. */
function createMark(random: () => number): { sentinel: string; next(): string } {
  const base = Math.floor(random() * 1e9);
  let calls = 0;
  return {
    sentinel: `~mark-${base}-${Math.floor(random() * 1e9)}~`,
    next() {
      calls += 1;
      return (base + calls * 7919).toString(36);
    },
  };
}

function createUrls(ctx: SandboxContext, imageUrls: ImageUrls, mark: string): AnswerUrls {
  const short = ctx.faults.active('graph').find((fault) => fault.scenario === 'short_image_urls');
  const nowSeconds = Math.floor(ctx.now() / 1000);
  const expiresAt = short
    ? nowSeconds + numberOption(short.options, 'seconds', 2)
    : Math.floor((nowSeconds + IMAGE_LIFETIME_SECONDS) / 3600) * 3600;
  const sign = (path: string): string =>
    `${ctx.url}${imageUrls.sign(path, expiresAt)}&_nc_ohc=${mark}`;
  return {
    fileUrl: (media, index) => sign(mediaFilePath(media, index)),
    pictureUrl: (account) => sign(`/cdn/p/${account.igId}.jpg`),
    permalink: (media) =>
      `${ctx.url}/${media.productType === 'REELS' ? 'reel' : 'p'}/${media.shortcode}/`,
  };
}

/** Path of a post's file on the image host. */
function mediaFilePath(media: Media, index: number): string {
  const file = index === 0 ? media.file : (media.children[index - 1] ?? media.file);
  const extension = file.slice(file.lastIndexOf('.') + 1);
  return `/cdn/m/${media.id}${index === 0 ? '' : `_${index}`}.${extension}`;
}

function discoveryJson(
  ctx: SandboxContext,
  account: Account,
  query: DiscoveryQuery,
  urls: AnswerUrls,
): Record<string, unknown> {
  const mediaCount = (): number => ctx.media.countByAccount(account.igId);
  const json = toJson(PROFILE_FIELDS, query.profileFields, { account, mediaCount }, urls);
  if (query.media) {
    const page = readPage(ctx, account, query.media);
    json['media'] = {
      data: page.media.map((each) =>
        mediaJson({ media: each, account }, query.media?.fields ?? [], urls),
      ),
      ...(page.next ? { paging: { cursors: { after: writeCursor(page.next) } } } : {}),
    };
  }
  json['id'] = account.igId;
  return json;
}

interface Page {
  media: readonly Media[];
  next: PageCursor | undefined;
}

function readPage(ctx: SandboxContext, account: Account, query: MediaQuery): Page {
  const cursor = query.after === undefined ? undefined : readCursor(query.after, account.igId);
  if (cursor?.isGap) return { media: [], next: { ...cursor, isGap: false } };
  const found = ctx.media.listByAccount(account.igId, query.limit + 1, cursor?.mediaId);
  const media = found.slice(0, query.limit);
  const last = media.at(-1);
  if (found.length <= query.limit || !last) return { media, next: undefined };
  const isGap = !cursor && hasGap(ctx, account.username);
  return { media, next: { igId: account.igId, mediaId: last.id, isGap } };
}

function hasGap(ctx: SandboxContext, username: string): boolean {
  return ctx.faults.active('graph').some((fault) => {
    const only = textOption(fault.options, 'username');
    return fault.scenario === 'empty_middle_page' && (only === undefined || only === username);
  });
}

/** Where the next page begins. `gap`: an empty page comes first (scenario empty_middle_page). */
interface PageCursor {
  igId: string;
  mediaId: string;
  isGap: boolean;
}

/** Opaque to callers; it names the last post of the page before. */
function writeCursor({ igId, mediaId, isGap }: PageCursor): string {
  return `QVFI${Buffer.from(`${isGap ? 'g' : 'p'}:${igId}:${mediaId}`).toString('base64url')}`;
}

/** @throws GraphError when it isn't one of this account's cursors */
function readCursor(text: string, igId: string): PageCursor {
  const [kind, owner, mediaId] = Buffer.from(text.slice(4), 'base64url').toString().split(':');
  if (!text.startsWith('QVFI') || owner !== igId || !mediaId || (kind !== 'p' && kind !== 'g')) {
    throw invalidCursor();
  }
  return { igId, mediaId, isGap: kind === 'g' };
}
