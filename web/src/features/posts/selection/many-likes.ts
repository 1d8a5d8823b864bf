import { EXTRA_LIKES_MIN } from '#shared/domain/credit-packages.ts';
import { figure } from '#web/ui/words/figures.ts';

/** So many posts take part in one order for many. */
export const MANY_POSTS_MAX = 200;

/** What an order for many posts comes to; or, in one sentence, why it can't be made. */
type ManyLikes =
  | { kind: 'ready'; each: number; total: number; left: number }
  | { kind: 'not_yet'; sentence: string };

/** @param typed the likes for each post, as they stand in the field */
export function manyLikes(posts: number, typed: string, credits: number): ManyLikes {
  const notYet = (sentence: string): ManyLikes => ({ kind: 'not_yet', sentence });
  if (posts > MANY_POSTS_MAX) return notYet(`Select up to ${MANY_POSTS_MAX} posts.`);
  if (!/^\d{0,9}$/.test(typed)) return notYet('Please enter a whole number.');
  const each = Number(typed);
  if (each < EXTRA_LIKES_MIN) return notYet(`At least ${EXTRA_LIKES_MIN} likes each.`);
  const total = posts * each;
  if (total > credits) {
    return notYet(`That’s ${figure(total)} credits. You have ${figure(credits)}.`);
  }
  return { kind: 'ready', each, total, left: credits - total };
}
