import type { Post } from '#shared/contract/accounts/post.ts';

/** A post as a line of the palette. */
export interface FoundPost {
  id: string;
  igId: string;
  label: string;
  description: string;
}

/** So many stand there before anything is typed, and afterwards. */
export const POSTS_AT_FIRST = 3;
export const POSTS_FOUND = 30;
/** Of a caption, what fits one line. */
const LABEL_LETTERS = 80;

/**
 * The posts with every typed word in their caption, date or account's name, in their own order;
 * without words the first few. Those of accounts that are no longer connected are left out.
 * @param names the accounts' names by their network ids
 * @param posted an instant in words, "Nov 21, 2026, 10:10 AM"
 */
export function findPosts(
  posts: readonly Post[],
  typed: string,
  names: ReadonlyMap<string, string>,
  posted: (instant: string) => string,
): FoundPost[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const limit = words.length === 0 ? POSTS_AT_FIRST : POSTS_FOUND;
  const found: FoundPost[] = [];
  for (const { id, igId, caption, takenAt } of posts) {
    const name = names.get(igId);
    if (name === undefined) continue;
    const at = posted(takenAt);
    const text = `${caption} ${at} @${name}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    found.push({ id, igId, label: labelOf(caption, at), description: `${at}, @${name}` });
    if (found.length === limit) break;
  }
  return found;
}

function labelOf(caption: string, at: string): string {
  const letters = Array.from(caption.trim().replaceAll(/\s+/g, ' '));
  if (letters.length === 0) return `Post from ${at}`;
  const cut = letters.length > LABEL_LETTERS ? '…' : '';
  return `${letters.slice(0, LABEL_LETTERS).join('')}${cut}`;
}
