import { MEDIA_TYPES, type MediaType } from '#shared/contract/post.ts';
import { asObject, type JsonObject } from '../http/json-body.ts';
import type { NetworkAccount, NetworkPost } from './social-network.ts';

export interface GraphPage {
  account: NetworkAccount;
  posts: NetworkPost[];
  after: string | undefined;
}

/**
 * Reads the answer of a Business Discovery call; undefined when it is none. Unknown keys are ignored, and
 * posts of a kind this product doesn't know are left out.
 *
 * Written by hand because every account passes here every half minute: a page of 12 posts takes 4 us,
 * the same checks as a valibot schema 45 us (measured; JSON.parse itself takes 25 us).
 */
export function readPage(body: JsonObject): GraphPage | undefined {
  const discovery = asObject(body['business_discovery']);
  const account = discovery && readProfile(discovery);
  if (!account) return undefined;
  const media = asObject(discovery['media']);
  const posts = readPosts(media?.['data']);
  if (!posts) return undefined;
  const cursors = asObject(asObject(media?.['paging'])?.['cursors']);
  return { account, posts, after: textOf(cursors?.['after']) };
}

function readProfile(discovery: JsonObject): NetworkAccount | undefined {
  const igId = readId(discovery['id']);
  const username = textOf(discovery['username']);
  if (igId === undefined || username === undefined) return undefined;
  return {
    igId,
    username,
    name: textOf(discovery['name']) ?? username,
    profilePictureUrl: textOf(discovery['profile_picture_url']),
    followers: countOf(discovery['followers_count']) ?? 0,
    mediaCount: countOf(discovery['media_count']) ?? 0,
  };
}

/** The posts of a page; an account without any has no `media`. One broken post spoils the page. */
function readPosts(data: unknown): NetworkPost[] | undefined {
  if (data === undefined) return [];
  if (!Array.isArray(data)) return undefined;
  const posts: NetworkPost[] = [];
  for (const row of data as unknown[]) {
    const post = asObject(row);
    const mediaType = post?.['media_type'];
    if (!post || typeof mediaType !== 'string') return undefined;
    if (!isMediaType(mediaType)) continue;
    const read = readPost(post, mediaType);
    if (!read) return undefined;
    posts.push(read);
  }
  return posts;
}

function readPost(row: JsonObject, mediaType: MediaType): NetworkPost | undefined {
  const id = readId(row['id']);
  const takenAtMs = readTime(row['timestamp']);
  if (id === undefined || takenAtMs === undefined) return undefined;
  const permalink = textOf(row['permalink']) ?? '';
  return {
    id,
    shortcode: readShortcode(permalink),
    mediaType,
    caption: textOf(row['caption']) ?? '',
    permalink,
    // A video's media_url is the film itself; there is no picture to be had of it.
    imageUrl: mediaType === 'VIDEO' ? undefined : textOf(row['media_url']),
    takenAtMs,
    likeCount: countOf(row['like_count']) ?? null,
    commentCount: countOf(row['comments_count']) ?? 0,
  };
}

function isMediaType(text: string): text is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(text);
}

/** Ids exceed 2^53: as a JSON number one may already have been rounded to another post's, so only text counts. */
function readId(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{1,32}$/.test(value) ? value : undefined;
}

const SHORTCODE = /\/(?:p|reel|reels|tv)\/([A-Za-z0-9_-]+)/;

/** The shortcode in an address, or '' when it has none. */
function readShortcode(permalink: string): string {
  return SHORTCODE.exec(permalink)?.[1] ?? '';
}

/** `2026-11-20T19:00:42+0000`: the missing colon is the network's habit. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const timeMs = value.endsWith('+0000')
    ? Date.parse(`${value.slice(0, -5)}Z`)
    : Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
