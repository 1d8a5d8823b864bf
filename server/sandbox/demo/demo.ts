import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { Account } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { Media } from '../media.ts';
import { type Scene, sceneKey, SCENES } from '../pictures.ts';
import { inTransaction } from '../state.ts';
import { captionFor, CAST, type CastMember } from './cast.ts';

const GROW_EVERY_MS = 4000;
const POST_AFTER_MS = { from: MINUTE_MS, to: 120_000 };
/** Where thousands were planted, each posts about once in half a day. */
const PLANTED_POST_AFTER_MS = { from: 5000, to: 15_000 };
const GROWING_POSTS = 120;

/** What happens on the network by itself: accounts from the start, a new picture now and then, likes that climb. */
interface Demo {
  /** Posts one picture on one of the demo accounts; undefined when none is left. */
  post(): Media | undefined;
  /** Adds the likes and views that came from passers-by in the last `elapsedMs`. */
  grow(elapsedMs: number): void;
  /** How long until the next post: one to two minutes, longer the more were posted today. */
  nextPostMs(): number;
  /** Posts and grows until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes the demo accounts unless this state has them already. */
export function seedDemo(ctx: SandboxContext): void {
  const { db } = ctx;
  if (db.prepare("select 1 from meta where key = 'demo_seeded'").get()) return;
  inTransaction(db, () => {
    CAST.forEach((member, index) => seedMember(ctx, member, index));
    db.exec("insert into meta (key, value) values ('demo_seeded', '1')");
  });
}

function seedMember(ctx: SandboxContext, member: CastMember, index: number): void {
  if (ctx.accounts.findByName(member.account.username)) return;
  const { igId, followers } = ctx.accounts.create({
    ...member.account,
    isDemo: true,
    createdAt: ctx.now() - (400 + index) * 24 * HOUR_MS,
  });
  // Whoever rests between posts has rested.
  const rested = member.restHours === Infinity ? 0 : (member.restHours ?? 0) * HOUR_MS;
  let takenAt = ctx.now() - rested - (index + 1) * 40 * MINUTE_MS;
  for (let each = 0; each < member.posts; each += 1) {
    const scene = member.scenes[each % member.scenes.length] ?? 'sunset';
    const file = sceneKey(scene, index * 120 + each);
    // The one film there is shows mountains.
    const isReel = scene === 'mountains' && (each === 1 || each === 3);
    const isCarousel = each === 2 && index % 3 === 2;
    const likes = Math.round(followers * (0.012 + 0.05 * ctx.random()) * (each === 0 ? 0.3 : 1));
    ctx.media.create({
      igId,
      mediaType: isReel ? 'VIDEO' : isCarousel ? 'CAROUSEL_ALBUM' : 'IMAGE',
      file: isReel ? file.replace(/\.jpg$/, '.webm') : file,
      children: isCarousel
        ? [sceneKey(scene, 5000 + index * 10), sceneKey(scene, 5001 + index * 10)]
        : [],
      caption: captionFor(scene, ctx.random),
      takenAt,
      publishAt: takenAt,
      isLikesHidden: each === 5 && index === 1,
      organicLikes: likes,
      organicViews: isReel ? likes * 7 : 0,
      comments: Math.round(likes * 0.02),
    });
    takenAt -= Math.round((9 + ctx.random() * 38) * HOUR_MS);
  }
}

export function createDemo(ctx: SandboxContext): Demo {
  const demo = {
    post: () => (arePlanted(ctx) ? postPlanted(ctx) : postOne(ctx)),
    grow: (elapsedMs: number) => growAll(ctx, elapsedMs),
    nextPostMs() {
      if (arePlanted(ctx)) return between(PLANTED_POST_AFTER_MS, ctx.random);
      const since = ctx.now() - 24 * HOUR_MS;
      const posted = ctx.media
        .listNewest(GROWING_POSTS)
        .filter((media) => media.takenAt > since).length;
      return between(POST_AFTER_MS, ctx.random) * (1 + Math.max(0, posted - 20) / 10);
    },
  };
  async function repeat(
    signal: AbortSignal,
    delayMs: () => number,
    work: () => void,
  ): Promise<void> {
    while (!signal.aborted) {
      await ctx.sleep(delayMs(), signal);
      if (!signal.aborted) work();
    }
  }
  return {
    ...demo,
    async run(signal) {
      await Promise.all([
        repeat(
          signal,
          () => GROW_EVERY_MS,
          () => demo.grow(GROW_EVERY_MS),
        ),
        repeat(
          signal,
          () => demo.nextPostMs(),
          () => void demo.post(),
        ),
      ]);
    },
  };
}

const between = ({ from, to }: { from: number; to: number }, random: () => number): number =>
  from + random() * (to - from);

/** Whether there are demo accounts beside the cast. */
const arePlanted = ({ accounts }: SandboxContext): boolean => accounts.countDemo() > CAST.length;

/** Any of them, whatever its pictures are of. */
function postPlanted(ctx: SandboxContext): Media | undefined {
  const account = ctx.accounts.anyDemo();
  const scene = SCENES[Math.floor(ctx.random() * SCENES.length)];
  if (!account || !scene || !ctx.accounts.isReadable(account)) return undefined;
  return postScene(ctx, account, scene);
}

/**
 * Whoever has rested posts first, so that the demo's customer sees it soon. Accounts a person renamed no longer
 * belong to the cast; the others go on posting.
 */
function postOne(ctx: SandboxContext): Media | undefined {
  const present = CAST.flatMap(({ account: { username }, scenes, restHours }) => {
    const account = ctx.accounts.findByName(username);
    if (!account || !ctx.accounts.isReadable(account)) return [];
    const isRested = restHours === undefined || hasRested(ctx, account.igId, restHours);
    return isRested ? [{ account, scenes, restHours }] : [];
  });
  const first = present.filter(({ restHours }) => restHours !== undefined);
  const choice = first.length > 0 ? first : present;
  const chosen = choice[Math.floor(ctx.random() * choice.length)];
  const scene = chosen?.scenes[Math.floor(ctx.random() * chosen.scenes.length)];
  return chosen && scene && postScene(ctx, chosen.account, scene);
}

function postScene(ctx: SandboxContext, { igId }: Account, scene: Scene): Media {
  return ctx.media.create({
    igId,
    mediaType: 'IMAGE',
    file: sceneKey(scene, Math.floor(ctx.random() * 1e9)),
    caption: captionFor(scene, ctx.random),
  });
}

function hasRested(ctx: SandboxContext, igId: string, restHours: number): boolean {
  const newest = Math.max(...ctx.media.listByAccount(igId, 10).map(({ takenAt }) => takenAt));
  return ctx.now() - newest >= restHours * HOUR_MS;
}

/** A fresh post of a followed account gets a like every few seconds, a week-old one a few a day. */
function growAll(ctx: SandboxContext, elapsedMs: number): void {
  inTransaction(ctx.db, () => {
    for (const media of ctx.media.listNewest(GROWING_POSTS)) {
      const ageHours = Math.max(0, ctx.now() - media.takenAt) / HOUR_MS;
      const perHour = 90 * Math.exp(-ageHours / 5) + 3 * Math.exp(-ageHours / 90);
      const likes = drawCount((perHour * elapsedMs) / HOUR_MS, ctx.random);
      if (likes === 0) continue;
      ctx.media.change(media.id, {
        organicLikes: media.organicLikes + likes,
        organicViews: media.organicViews + (media.mediaType === 'VIDEO' ? likes * 6 : 0),
      });
    }
  });
}

/** A Poisson count for small means. */
function drawCount(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
