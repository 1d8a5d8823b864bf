/** How many tags there may be, and how long one is at most, in characters. */
export const TAG_LIMITS = { length: 32, ofAccount: 20, ofCustomer: 200 } as const;
/** How many accounts are tagged by one call or change at most. */
export const TAGGED_AT_ONCE = 500;

/** What parts tags from one another where several are written in one line. */
const SEPARATORS = /[,;]/;

/** A tag as it is kept: without spaces around it, and one between its words. */
export function cleanTag(typed: string): string {
  return typed.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/** What two tags have in common that are the same but for capitals. */
export const tagKey = (tag: string): string => tag.normalize('NFKC').toLowerCase();

/** Why this can't be a tag, in a sentence; undefined: it can. */
export function problemOfTag(tag: string): string | undefined {
  if (cleanTag(tag) === '') return 'Please type a tag.';
  if (Array.from(cleanTag(tag)).length > TAG_LIMITS.length) {
    return `A tag has at most ${TAG_LIMITS.length} characters.`;
  }
  if (SEPARATORS.test(tag)) return 'A tag has no commas or semicolons.';
  return /[\p{Cc}\p{Cf}]/u.test(cleanTag(tag))
    ? 'Please use letters, numbers and symbols only.'
    : undefined;
}

export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/** The tags after a change, in their order. What is both added and removed is there afterwards. */
export function changeTags(before: readonly string[], { add, remove }: TagChange): string[] {
  const gone = new Set(remove.map(tagKey));
  const tags = new Map(
    before.flatMap((tag) => (gone.has(tagKey(tag)) ? [] : [[tagKey(tag), tag]])),
  );
  for (const tag of add) if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  return [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

/** The tags of all accounts, each once, in their order; how it was written first counts. */
export function tagsInUse(accounts: Iterable<{ tags: readonly string[] }>): string[] {
  return changeTags([], { add: [...accounts].flatMap(({ tags }) => tags), remove: [] });
}
