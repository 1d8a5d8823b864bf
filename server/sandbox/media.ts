import type { SandboxContext } from './context.ts';
import { newMediaId, newShortcode } from './state.ts';
import { Refusal } from './refusal.ts';

type MediaType = 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';

/** One post. Like count = organicLikes + memberLikes; views likewise. Times in ms since 1970. */
export interface Media {
  id: string;
  igId: string;
  shortcode: string;
  mediaType: MediaType;
  productType: 'FEED' | 'REELS';
  caption: string;
  /** File key, see `Pictures`. */
  file: string;
  /** Further pictures of a carousel. */
  children: readonly string[];
  takenAt: number;
  /** Until then nobody sees it. */
  publishAt: number;
  isLikesHidden: boolean;
  /** False for a reel with licensed audio: the API then leaves media_url out. */
  hasMediaUrl: boolean;
  isPinned: boolean;
  organicLikes: number;
  memberLikes: number;
  organicViews: number;
  memberViews: number;
  comments: number;
}

export interface NewMedia {
  igId: string;
  mediaType: MediaType;
  file: string;
  children?: readonly string[];
  caption?: string;
  takenAt?: number;
  publishAt?: number;
  isLikesHidden?: boolean;
  hasMediaUrl?: boolean;
  isPinned?: boolean;
  organicLikes?: number;
  organicViews?: number;
  comments?: number;
}

type MediaChange = Partial<
  Pick<
    Media,
    'isLikesHidden' | 'hasMediaUrl' | 'isPinned' | 'organicLikes' | 'organicViews' | 'caption'
  >
>;

/**
 * The network's posts. "Live" = published and not deleted; every read but `get` sees live
 * posts only. An account's list is pinned posts first, then the newest; of one instant, the one made
 * last.
 */
export interface MediaBook {
  create(media: NewMedia): Media;
  findLive(id: string): Media | undefined;
  findLiveByShortcode(shortcode: string): Media | undefined;
  /** Also deleted and coming posts. @throws Refusal unknown_post */
  get(id: string): Media;
  /** `afterId`: only what follows that post, which may have been deleted meanwhile. */
  listByAccount(igId: string, limit: number, afterId?: string): Media[];
  listNewest(limit: number): Media[];
  countByAccount(igId: string): number;
  /** When the next post of the account that isn't visible yet appears; Infinity without one. */
  nextPublishAt(igId: string): number;
  /** @throws Refusal unknown_post */
  change(id: string, change: MediaChange): Media;
  /** @throws Refusal unknown_post (also when already deleted) */
  delete(id: string): void;
  countDistinctMembers(id: string): number;
  /** The latest likes by members, newest first. */
  listLikers(id: string, limit: number): { memberId: number; at: number }[];
}

const COLUMNS = `id, ig_id, shortcode, media_type, product_type, caption, file, children, taken_at,
  publish_at, hide_likes, has_media_url, pinned, organic_likes, member_likes, organic_views,
  member_views, comments`;
const LIVE = 'deleted_at is null and publish_at <= ?';

type MediaContext = Pick<SandboxContext, 'db' | 'now' | 'random'>;

export function openMedia(ctx: MediaContext): MediaBook {
  const insert = prepareInsert(ctx);
  const reads = reading(ctx);
  const setDeleted = ctx.db.prepare(
    'update media set deleted_at = ? where id = ? and deleted_at is null',
  );
  return {
    ...reads,
    ...listing(ctx),
    ...liking(ctx),
    create(media) {
      const id = newMediaId(ctx.random);
      insert(id, newShortcode(ctx.random), media);
      return reads.get(id);
    },
    change: changing(ctx, reads.get),
    delete(id) {
      if (setDeleted.run(ctx.now(), id).changes === 0) throw noSuchPost();
    },
  };
}

const noSuchPost = (): Refusal => new Refusal('unknown_post', 'There is no such post.');

function reading({
  db,
  now,
}: MediaContext): Pick<MediaBook, 'findLive' | 'findLiveByShortcode' | 'get' | 'nextPublishAt'> {
  const byId = db.prepare(`select ${COLUMNS} from media where id = ?`);
  const liveById = db.prepare(`select ${COLUMNS} from media where id = ? and ${LIVE}`);
  const byCode = db.prepare(`select ${COLUMNS} from media where shortcode = ? and ${LIVE}`);
  const coming = db.prepare(
    'select min(publish_at) as at from media where ig_id = ? and deleted_at is null and publish_at > ?',
  );
  return {
    findLive: (id) => toMedia(liveById.get(id, now())),
    findLiveByShortcode: (code) => toMedia(byCode.get(code, now())),
    get(id) {
      const media = toMedia(byId.get(id));
      if (!media) throw noSuchPost();
      return media;
    },
    nextPublishAt(igId) {
      const at = coming.get(igId, now())?.['at'];
      return typeof at === 'number' ? at : Infinity;
    },
  };
}

function liking({ db }: MediaContext): Pick<MediaBook, 'countDistinctMembers' | 'listLikers'> {
  const members = db.prepare('select count(*) as n from member_like where media_id = ?');
  const likers = db.prepare(
    'select member_id, at from member_like where media_id = ? order by at desc limit ?',
  );
  return {
    countDistinctMembers: (id) => Number(members.get(id)?.['n'] ?? 0),
    listLikers: (id, limit) =>
      likers
        .all(id, limit)
        .map((row) => ({ memberId: Number(row['member_id']), at: Number(row['at']) })),
  };
}

function prepareInsert({
  db,
  now,
}: MediaContext): (id: string, shortcode: string, media: NewMedia) => void {
  const insert = db.prepare(
    `insert into media (${COLUMNS}) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,0,?,0,?)`,
  );
  return (id, shortcode, media) => {
    const at = now();
    const publishAt = media.publishAt ?? at;
    insert.run(
      id,
      media.igId,
      shortcode,
      media.mediaType,
      media.mediaType === 'VIDEO' ? 'REELS' : 'FEED',
      media.caption ?? '',
      media.file,
      JSON.stringify(media.children ?? []),
      media.takenAt ?? publishAt,
      publishAt,
      media.isLikesHidden ? 1 : 0,
      media.hasMediaUrl === false ? 0 : 1,
      media.isPinned ? 1 : 0,
      media.organicLikes ?? 0,
      media.organicViews ?? 0,
      media.comments ?? 0,
    );
  };
}

function listing({
  db,
  now,
}: MediaContext): Pick<MediaBook, 'listByAccount' | 'listNewest' | 'countByAccount'> {
  const newest = db.prepare(
    `select ${COLUMNS} from media where ${LIVE} order by taken_at desc, rowid desc limit ?`,
  );
  const count = db.prepare(`select count(*) as n from media where ig_id = ? and ${LIVE}`);
  const order = 'order by pinned desc, taken_at desc, rowid desc limit ?';
  const first = db.prepare(`select ${COLUMNS} from media where ig_id = ? and ${LIVE} ${order}`);
  const next = db.prepare(
    `select ${COLUMNS} from media where ig_id = ? and ${LIVE}
     and (pinned, taken_at, rowid) < (select pinned, taken_at, rowid from media where id = ?)
     ${order}`,
  );
  return {
    listByAccount(igId, limit, afterId) {
      const rows =
        afterId === undefined
          ? first.all(igId, now(), limit)
          : next.all(igId, now(), afterId, limit);
      return rows.flatMap((row) => toMedia(row) ?? []);
    },
    listNewest: (limit) => newest.all(now(), limit).flatMap((row) => toMedia(row) ?? []),
    countByAccount: (igId) => Number(count.get(igId, now())?.['n'] ?? 0),
  };
}

function changing({ db }: MediaContext, get: (id: string) => Media): MediaBook['change'] {
  const update = db.prepare(
    `update media set hide_likes = ?, has_media_url = ?, pinned = ?, organic_likes = ?,
     organic_views = ?, caption = ? where id = ?`,
  );
  return (id, change) => {
    const media = { ...get(id), ...change };
    update.run(
      media.isLikesHidden ? 1 : 0,
      media.hasMediaUrl ? 1 : 0,
      media.isPinned ? 1 : 0,
      media.organicLikes,
      media.organicViews,
      media.caption,
      id,
    );
    return get(id);
  };
}

/** A stored row of `media` as the rest of the sandbox sees it. */
function toMedia(row: Record<string, unknown> | undefined): Media | undefined {
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
