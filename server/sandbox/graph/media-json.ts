import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';

/** Makes addresses for one answer; `fileUrl` is signed and carries the per-call mark. */
export interface AnswerUrls {
  /** Address of a file on the image host; `index` > 0 is a further picture of a carousel. */
  fileUrl(media: Media, index: number): string;
  pictureUrl(account: Account): string;
  permalink(media: Media): string;
}

type Field<T> = (from: T, urls: AnswerUrls) => unknown;

interface Post {
  media: Media;
  account: Account;
}
interface Profile {
  account: Account;
  mediaCount: () => number;
}

/** `shortcode` and `thumbnail_url` fail the call, as they may on the real network. */
export const MEDIA_FIELDS: ReadonlyMap<string, Field<Post>> = new Map<string, Field<Post>>([
  ['id', () => undefined],
  ['caption', ({ media }) => media.caption || undefined],
  ['media_type', ({ media }) => media.mediaType],
  ['media_product_type', ({ media }) => media.productType],
  ['media_url', ({ media }, urls) => (media.hasMediaUrl ? urls.fileUrl(media, 0) : undefined)],
  ['permalink', ({ media }, urls) => urls.permalink(media)],
  ['timestamp', ({ media }) => graphTime(media.takenAt)],
  [
    'like_count',
    ({ media }) => (media.isLikesHidden ? undefined : media.organicLikes + media.memberLikes),
  ],
  ['comments_count', ({ media }) => media.comments],
  [
    'view_count',
    ({ media }) =>
      media.mediaType === 'VIDEO' ? media.organicViews + media.memberViews : undefined,
  ],
  ['username', ({ account }) => account.username],
  ['owner', ({ account }) => ({ id: account.igId })],
  ['children', childrenJson],
]);

export const PROFILE_FIELDS: ReadonlyMap<string, Field<Profile>> = new Map<string, Field<Profile>>([
  ['id', () => undefined],
  ['ig_id', () => undefined],
  ['website', ({ account }) => (account.bio ? `https://${account.username}.example/` : undefined)],
  ['username', ({ account }) => account.username],
  ['name', ({ account }) => account.name || undefined],
  ['biography', ({ account }) => account.bio || undefined],
  ['profile_picture_url', ({ account }, urls) => urls.pictureUrl(account)],
  ['followers_count', ({ account }) => account.followers],
  ['follows_count', ({ account }) => 120 + (account.followers % 480)],
  ['media_count', ({ mediaCount }) => mediaCount()],
]);

/** The requested fields of one post as the network answers them. */
export function mediaJson(
  post: Post,
  fields: readonly string[],
  urls: AnswerUrls,
): Record<string, unknown> {
  const json = toJson(MEDIA_FIELDS, fields, post, urls);
  json['id'] = post.media.id;
  return json;
}

/** Values that the network doesn't tell are left out. */
export function toJson<T>(
  known: ReadonlyMap<string, Field<T>>,
  fields: readonly string[],
  from: T,
  urls: AnswerUrls,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of fields) {
    const value = known.get(field)?.(from, urls);
    if (value !== undefined) json[field] = value;
  }
  return json;
}

function childrenJson({ media }: Post, urls: AnswerUrls): object | undefined {
  if (media.mediaType !== 'CAROUSEL_ALBUM') return undefined;
  const data = [media.file, ...media.children].map((_, index) => ({
    id: `${media.id.slice(0, -2)}${String(10 + index)}`,
    media_type: 'IMAGE',
    media_url: urls.fileUrl(media, index),
  }));
  return { data };
}

/** `2026-11-20T19:00:42+0000`: no milliseconds, no colon in the zone. */
function graphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}
