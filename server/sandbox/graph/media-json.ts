import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';

/** Makes addresses for one answer; `fileUrl` is signed and carries the per-call mark. */
export interface AnswerUrls {
  /** Address of a file on the image host; `index` > 0 is a further picture of a carousel. */
  fileUrl(media: Media, index: number): string;
  pictureUrl(account: Account): string;
  permalink(media: Media): string;
}

/** The requested fields of one post as the network answers them. Unknown values are left out. */
export function mediaJson(
  media: Media,
  account: Account,
  fields: readonly string[],
  urls: AnswerUrls,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of fields) {
    const value = mediaField(media, account, field, urls);
    if (value !== undefined) json[field] = value;
  }
  json['id'] = media.id;
  return json;
}

function mediaField(media: Media, account: Account, field: string, urls: AnswerUrls): unknown {
  switch (field) {
    case 'caption':
      return media.caption || undefined;
    case 'media_type':
      return media.mediaType;
    case 'media_product_type':
      return media.productType;
    case 'media_url':
      return media.hasMediaUrl ? urls.fileUrl(media, 0) : undefined;
    case 'permalink':
      return urls.permalink(media);
    case 'timestamp':
      return graphTime(media.takenAt);
    case 'like_count':
      return media.isLikesHidden ? undefined : media.organicLikes + media.memberLikes;
    case 'comments_count':
      return media.comments;
    case 'view_count':
      return media.mediaType === 'VIDEO' ? media.organicViews + media.memberViews : undefined;
    case 'username':
      return account.username;
    case 'owner':
      return { id: account.igId };
    case 'children':
      return media.mediaType === 'CAROUSEL_ALBUM' ? { data: childrenJson(media, urls) } : undefined;
    default:
      return undefined;
  }
}

function childrenJson(media: Media, urls: AnswerUrls): unknown[] {
  return [media.file, ...media.children].map((_, index) => ({
    id: `${media.id.slice(0, -2)}${String(10 + index)}`,
    media_type: 'IMAGE',
    media_url: urls.fileUrl(media, index),
  }));
}

/** The requested fields of a profile. */
export function profileJson(
  account: Account,
  mediaCount: () => number,
  fields: readonly string[],
  urls: AnswerUrls,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of fields) {
    const value = profileField(account, mediaCount, field, urls);
    if (value !== undefined) json[field] = value;
  }
  return json;
}

function profileField(
  account: Account,
  mediaCount: () => number,
  field: string,
  urls: AnswerUrls,
): unknown {
  switch (field) {
    case 'username':
      return account.username;
    case 'name':
      return account.name || undefined;
    case 'biography':
      return account.bio || undefined;
    case 'profile_picture_url':
      return urls.pictureUrl(account);
    case 'followers_count':
      return account.followers;
    case 'follows_count':
      return 120 + (account.followers % 480);
    case 'media_count':
      return mediaCount();
    default:
      return undefined;
  }
}

/** `2026-11-20T19:00:42+0000`: no milliseconds, no colon in the zone. */
export function graphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}
