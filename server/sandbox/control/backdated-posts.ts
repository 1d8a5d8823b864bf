import type { SandboxContext } from '../context.ts';
import { oneOf, ORDERED_SCENES } from '../pictures/scene-key.ts';

const HOUR_MS = 3_600_000;

/** Gives an account `count` posts with made pictures, some hours to a day and a half apart. */
export function addBackdatedPosts(ctx: SandboxContext, igId: string, count: number): void {
  let takenAt = ctx.now();
  for (let index = 0; index < count; index += 1) {
    takenAt -= Math.round((5 + ctx.random() * 30) * HOUR_MS);
    ctx.media.create({
      igId,
      mediaType: 'IMAGE',
      file: oneOf(ORDERED_SCENES, ctx.random),
      takenAt,
      publishAt: takenAt,
      organicLikes: 5 + Math.floor(ctx.random() ** 2 * 240),
      comments: Math.floor(ctx.random() * 12),
    });
  }
}
