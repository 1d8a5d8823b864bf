import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One import of a module of the product by another. */
export interface Import {
  from: string;
  to: string;
  /** Whether it is gone when the types are. */
  isTypeOnly: boolean;
}

/** The product's own files, tests and their helpers left out; paths from the root. */
export interface Tree {
  root: string;
  texts: ReadonlyMap<string, string>;
  imports: readonly Import[];
}

const FOLDERS = '{shared,server/src,server/sandbox,web,desktop}/**/*.{ts,tsx,mjs,css,html}';
const NOT_READ = ['**/node_modules/**', '**/dist/**', '**/out/**'];
/** Tests, fakes, conformance suites, and what measures a build. */
const TEST_ONLY = /\.(?:test|spec|fake|conformance)\.|\/fake-|\/(?:e2e|testing|test|bench)\//;
const CONFIGURES_OR_CHECKS = /\.config\.|packaging\/check/;
const ALIASES = [
  ['#shared/', 'shared/'],
  ['#server/', 'server/src/'],
  ['#sandbox/', 'server/sandbox/'],
  ['#test/', 'server/test/'],
  ['#web/', 'web/src/'],
] as const;
const STATIC = /^(?:import|export)\s+(type\s+)?([^;'"]*?)from\s+'([^']+)'/gm;
const FOR_EFFECT = /^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

export function readTree(root: string): Tree {
  const files = globSync(FOLDERS, { cwd: root, exclude: NOT_READ })
    .filter((file) => !isTestOnly(file) && !CONFIGURES_OR_CHECKS.test(file))
    .toSorted();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  return { root, texts, imports: [...texts].flatMap(([file, text]) => importsOf(file, text)) };
}

export const isTestOnly = (file: string): boolean => TEST_ONLY.test(file);

export const isModule = (file: string): boolean => /\.(?:tsx?|mjs)$/.test(file);

export const linesOf = (text: string): number => text.split('\n').length - 1;

/** What a module imports of the product; packages aren't told. */
export function importsOf(from: string, text: string): Import[] {
  if (!isModule(from)) return [];
  const found = [
    ...Array.from(text.matchAll(STATIC), ([, type, names = '', wanted = '']) => ({
      wanted,
      isTypeOnly: type !== undefined || hasOnlyTypes(names),
    })),
    ...Array.from(text.matchAll(FOR_EFFECT), ([, effect, later]) => ({
      wanted: effect ?? later ?? '',
      isTypeOnly: false,
    })),
  ];
  return found.flatMap(({ wanted, isTypeOnly }) => {
    const to = pathOf(from, wanted);
    return to === undefined ? [] : [{ from, to, isTypeOnly }];
  });
}

function hasOnlyTypes(names: string): boolean {
  const inBraces = /^\{([^}]*)\}\s*$/.exec(names.trim())?.[1];
  const each = inBraces?.split(',').map((name) => name.trim());
  return each?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

function pathOf(from: string, wanted: string): string | undefined {
  if (wanted.startsWith('.')) return normalize(join(dirname(from), wanted));
  const alias = ALIASES.find(([name]) => wanted.startsWith(name));
  return alias && alias[1] + wanted.slice(alias[0].length);
}
