import type { Media, MediaType } from './media.ts';

/** A stored row of `media` as the rest of the sandbox sees it. */
export function toMedia(row: Record<string, unknown> | undefined): Media | undefined {
  if (!row) return undefined;
  const children = row['children'];
  return {
    id: String(row['id']),
    igId: String(row['ig_id']),
    shortcode: String(row['shortcode']),
    mediaType: row['media_type'] as MediaType,
    productType: row['product_type'] === 'REELS' ? 'REELS' : 'FEED',
    caption: String(row['caption']),
    file: String(row['file']),
    children: children === '[]' ? [] : (JSON.parse(String(children)) as string[]),
    takenAt: Number(row['taken_at']),
    publishAt: Number(row['publish_at']),
    isLikesHidden: row['hide_likes'] === 1,
    hasMediaUrl: row['has_media_url'] === 1,
    isPinned: row['pinned'] === 1,
    organicLikes: Number(row['organic_likes']),
    memberLikes: Number(row['member_likes']),
    organicViews: Number(row['organic_views']),
    memberViews: Number(row['member_views']),
    comments: Number(row['comments']),
  };
}
