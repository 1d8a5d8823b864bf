import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './areas.ts';
import type { Mutant } from './find-mutants.ts';
import type { FileOutcome, TestFile } from './mutated-tests.ts';
import type { Runner } from './runner.ts';

const CACHE = join(ROOT, 'node_modules/.cache/ovation/mutants');

/** Reads what an earlier run kept; an empty object where there is none. */
export function readKept<Kept extends object>(name: string): Partial<Kept> {
  try {
    return JSON.parse(readFileSync(join(CACHE, name), 'utf8')) as Kept;
  } catch {
    return {};
  }
}

export function keep(name: string, what: object): void {
  const path = join(CACHE, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(what));
}

export const hashOf = (...files: readonly string[]): string => {
  const hash = createHash('sha256');
  // A file that has gone since is a change, too.
  for (const path of files.map((file) => join(ROOT, file))) {
    hash.update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex').slice(0, 16);
};

/** What a test file calls, as of the hash of its text. */
export interface Reach extends FileOutcome {
  hash: string;
  /** Its tests without the few that take most of its time; undefined where there are none such. */
  quick?: readonly string[];
}
type Reaches = Record<string, Reach>;

const CONCURRENCY = 4;
const SLOW_MS = 1000;

async function measure(files: readonly TestFile[], runner: Runner): Promise<Reach[]> {
  const { outcomes: whole } = await runner.run(files, { bail: false });
  const parts = whole.flatMap((outcome) => {
    const only = quickTests(outcome);
    return outcome.isGreen && only ? [{ ...outcome, only }] : [];
  });
  // Tests may lean on those before them: only parts that are green by themselves are run as parts.
  const { outcomes: tried } =
    parts.length > 0 ? await runner.run(parts, { bail: false }) : { outcomes: [] };
  return whole.map((outcome): Reach => {
    const reach = { ...outcome, hash: hashOf(outcome.file) };
    const isGreenAlone = tried.some(({ file, isGreen }) => file === outcome.file && isGreen);
    const quick = isGreenAlone ? parts.find(({ file }) => file === outcome.file)?.only : undefined;
    return quick ? { ...reach, quick } : reach;
  });
}

/** The first test pays for what all of them share, so it is never a slow one. */
function quickTests({ tests }: FileOutcome): string[] | undefined {
  const sorted = tests.map(({ ms }) => ms).sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const quick = tests.filter(({ ms }, index) => index === 0 || ms < SLOW_MS || ms < 4 * middle);
  return quick.length === tests.length ? undefined : quick.map(({ name }) => name);
}

/** Which tests call which functions: measured once, then again for test files that changed. */
export async function readReach(
  files: readonly TestFile[],
  runners: readonly Runner[],
): Promise<Reach[]> {
  const kept = readKept<Reaches>('reach.json') as Reaches;
  const isKnown = ({ file }: TestFile): boolean => kept[file]?.hash === hashOf(file);
  const unknown = files.filter((file) => !isKnown(file));
  const measureNext = async (runner: Runner): Promise<void> => {
    for (
      let some = unknown.splice(0, CONCURRENCY);
      some.length > 0;
      some = unknown.splice(0, CONCURRENCY)
    ) {
      console.log(`what each test calls: ${some.length + unknown.length} files to ask`);
      for (const reach of await measure(some, runner)) {
        if (reach.isGreen) kept[reach.file] = reach;
        else console.log(`  red without any mutant, left out: ${reach.file}: ${reach.told}`);
      }
      keep('reach.json', kept);
    }
  };
  await Promise.all(runners.map(measureNext));
  return files.flatMap(({ file }) => kept[file] ?? []);
}

const PROJECTS = ['code', 'pglite'];
/** Tables that functions make as the module is read. */
const AT_IMPORT = ['shared/domain/money/plans.ts', 'shared/domain/money/credit-packages.ts'];

/** Nobody calls what only runs as its module is read. */
export const isComputedAtImport = ({ file, spot }: Mutant): boolean =>
  spot === undefined || AT_IMPORT.some((each) => each === file);

const callersOf = ({ spot }: Mutant, reaches: readonly Reach[]): Reach[] =>
  spot === undefined ? [] : reaches.filter(({ reached }) => reached.includes(spot));

/**
 * The tests that can notice a mutant, nearest and fastest first. What is computed as its module is read
 * can be noticed wherever a function of that file or of its folder is called.
 */
export function testsOf(mutant: Mutant, reaches: readonly Reach[]): Reach[] {
  const folder = dirname(mutant.file);
  const calls = (prefix: string) =>
    reaches.filter(({ reached }) => reached.some((spot) => spot.startsWith(prefix)));
  const exact = callersOf(mutant, reaches);
  const found = exact.length > 0 ? exact : isComputedAtImport(mutant) ? calls(`${folder}/`) : [];
  const name = mutant.file.slice(0, -'.ts'.length);
  const distance = ({ file }: Reach): number =>
    file.startsWith(`${name}.`) ? 0 : dirname(file) === folder ? 1 : 2;
  return found.toSorted(
    (a, b) =>
      PROJECTS.indexOf(a.project) - PROJECTS.indexOf(b.project) ||
      distance(a) - distance(b) ||
      a.seconds - b.seconds,
  );
}
