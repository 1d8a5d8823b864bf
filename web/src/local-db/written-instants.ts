import { type Chunk, isTail, type Span, spanOf } from './chunk.ts';
import type { Written } from './chunk-cache.ts';
import { instantOf, shapeOf } from './entity-shape.ts';
import type { PostWindow } from './local-posts.ts';
import type { StoreReader } from './sync-store.ts';

/** Where in time rows were written; undefined: anywhere. */
export type Instants = readonly Span[] | undefined;

/** Gathers where in time the rows that are found by something were written since it was asked last. */
export interface WrittenInstants {
  add: (written: Written) => void;
  /** What was gathered; the tail, whose key tells no time, is looked into. */
  take: (reader: StoreReader) => Promise<Instants>;
}

/** @param foundBy undefined: all rows of the entity */
export function createWrittenInstants(
  entity: string,
  foundBy: string | undefined,
): WrittenInstants {
  let spans: Span[] | undefined = [];
  /** Tails by key, as they were before the first write; undefined: that isn't known. */
  let tails = new Map<string, Chunk | undefined>();
  return {
    add: ({ keys, former, isFoundBy, hasPatches, hasScopes }) => {
      if (!keys || hasPatches || hasScopes) spans = undefined;
      const isFound = foundBy === undefined || isFoundBy(foundBy);
      for (const k of keys ?? []) {
        if (k.split('|')[1] !== entity) continue;
        // What was never read of these rows, and holds none of them now, doesn't matter.
        if (!isFound && !former.has(k)) continue;
        if (!isTail(k)) spans?.push(spanOf(k));
        else if (!tails.has(k)) tails.set(k, former.get(k));
      }
    },
    take: async (reader) => {
      const [known, open] = [spans, tails];
      [spans, tails] = [[], new Map()];
      if (!known) return undefined;
      const now = await reader.getChunks([...open.keys()]);
      for (const [k, before] of open) {
        if (!before) return undefined;
        const after = now.find((chunk) => chunk.k === k);
        known.push(...changedInstants(entity, before, after));
      }
      return known;
    },
  };
}

/** Where the rows stand, and stood, that are not the same in both. */
function changedInstants(entity: string, before: Chunk, after: Chunk | undefined): Span[] {
  const versionOf = (chunk: Chunk | undefined): Map<string, number | undefined> =>
    new Map(chunk?.ids.map((id, at) => [id, chunk.v[at]]));
  const changedIn = (chunk: Chunk | undefined, other: Chunk | undefined): Span[] => {
    const versions = versionOf(other);
    return (chunk?.rows ?? [])
      .filter((_, at) => versions.get(chunk?.ids[at] ?? '') !== chunk?.v[at])
      .map((row) => {
        const atMs = instantOf(shapeOf(entity), row);
        return { newestMs: atMs, oldestMs: atMs };
      });
  };
  return [...changedIn(before, after), ...changedIn(after, before)];
}

/** Whether something in a window was written. */
export function touches({ before, from }: PostWindow, instants: Instants): boolean {
  const beforeMs = before === undefined ? Infinity : Date.parse(before);
  const fromMs = from === undefined ? -Infinity : Date.parse(from);
  return (
    instants?.some(({ newestMs, oldestMs }) => oldestMs < beforeMs && newestMs >= fromMs) ?? true
  );
}
