import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measure } from './measures.ts';
import type { Tree } from './read-tree.ts';

const PAGE = 'docs/architecture.md';

/** The files of one walk in docs/architecture.md; undefined where the page has none of that name. */
export function walk(tree: Tree, name: string): Measure | undefined {
  const steps = walksOf(tree).get(name);
  if (!steps) return undefined;
  const counted = [...new Set(steps.map(({ file }) => file))];
  return { now: counted.length, counted };
}

export function walksOf({ root }: Tree): Map<string, WalkStep[]> {
  const page = join(root, PAGE);
  return readWalks(existsSync(page) ? readFileSync(page, 'utf8') : '');
}

/** A file on a walk, and how one gets there: what it says in front of the file, or an import. */
export interface WalkStep {
  file: string;
  by: string | undefined;
}

/** The walks that the architecture tells, by their headings: "1. by HTTP: `file` what happens". */
export function readWalks(page: string): Map<string, WalkStep[]> {
  const section = page.split('\n## ').find((part) => part.startsWith('Walks\n')) ?? '';
  const parts = section.split('\n### ').slice(1);
  return new Map(
    parts.map((part) => {
      const steps = part.matchAll(/^\d+\. (?:by ([^:`]+): )?`([^`]+)`/gm);
      return [
        part.slice(0, part.indexOf('\n')),
        Array.from(steps, ([, by, file = '']) => ({ by, file })),
      ];
    }),
  );
}

/** Files that are gone, and files that no earlier one imports though the walk doesn't say how one gets there. */
export function findGaps({ root, imports }: Tree, steps: readonly WalkStep[]): string[] {
  return steps.flatMap(({ file, by }, index) => {
    if (!existsSync(join(root, file))) return [`there is no ${file}`];
    const earlier = new Set(steps.slice(0, index).map((step) => step.file));
    const isReached = imports.some(({ from, to }) => to === file && earlier.has(from));
    const isSaid = by !== undefined || index === 0;
    return isReached || isSaid ? [] : [`nothing leads to ${file}`];
  });
}
