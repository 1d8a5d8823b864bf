import { figure } from './post-sentence.ts';

/** How many posts are shown, and whether that is all of them. */
export function countInWords(
  shown: number,
  loaded: number,
  isComplete: boolean,
  isNarrowed: boolean,
): string {
  if (isNarrowed) {
    const all = `${figure(shown)} of ${postsInWords(loaded)}`;
    return isComplete ? `${all} match.` : `${all} looked through so far match.`;
  }
  return isComplete ? postsInWords(loaded) : `The newest ${postsInWords(loaded)}`;
}

const postsInWords = (count: number): string =>
  `${figure(count)} ${count === 1 ? 'post' : 'posts'}`;
