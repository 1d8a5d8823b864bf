import { parseIgUsername } from '#shared/domain/ig-username.ts';

/** So many accounts are added at once: as many as may be looked up in a minute; a new customer 20 in a day. */
export const PASTED_LIMIT = 60;

/** Names as people paste them: one a line, with commas, with "@", or as addresses of profiles; each once. */
export function readNames(text: string): { names: string[]; faults: string[] } {
  const names = new Set<string>();
  const faults: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    if (word === '') continue;
    const path = /^(?:https?:\/\/)?(?:www\.)?instagram\.com\/([^/?#]+)/i.exec(word)?.[1];
    const name = parseIgUsername(path ?? word);
    if (name === undefined) faults.push(word);
    else names.add(name);
  }
  return { names: [...names], faults };
}
