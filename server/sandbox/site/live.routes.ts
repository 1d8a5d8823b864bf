import { Hono } from 'hono';
import type { SandboxContext } from '../context.ts';
import type { Media } from '../media.ts';
import { memberName } from '../members.ts';

const IDS_MAX = 60;
export const LIKERS_SHOWN = 12;

/** What one post shows live. `likes` is null when the owner hides them. */
export interface LiveCounts {
  likes: number | null;
  fromMembers: number;
  views: number | null;
}

export function liveCounts(media: Media): LiveCounts {
  return {
    likes: media.isLikesHidden ? null : media.organicLikes + media.memberLikes,
    fromMembers: media.memberLikes,
    views: media.mediaType === 'VIDEO' ? media.organicViews + media.memberViews : null,
  };
}

/** The figures the pages ask for every other second. */
export function liveRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.get('/counts', (c) => {
    const ids = (c.req.query('ids') ?? '').split(',').slice(0, IDS_MAX);
    const posts: Record<string, LiveCounts> = {};
    for (const id of ids) {
      const media = ctx.media.findLive(id);
      if (media) posts[id] = liveCounts(media);
    }
    return c.json({ posts, newest: ctx.media.listNewest(1)[0]?.id ?? null });
  });
  app.get('/likers/:id', (c) => {
    const media = ctx.media.findLive(c.req.param('id'));
    return c.json(media ? listLikers(ctx, media) : []);
  });
  return app;
}

export interface Liker {
  name: string;
  at: number;
}

export function listLikers(ctx: SandboxContext, media: Media): Liker[] {
  return ctx.media
    .listLikers(media.id, LIKERS_SHOWN)
    .map(({ memberId, at }) => ({ name: memberName(memberId), at }));
}
