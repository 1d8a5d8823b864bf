import { globSync } from 'node:fs';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { AREAS, filesOf, ROOT, sourceOf } from './areas.ts';
import { errorWords } from './error-words.ts';
import { keyOf, readEquivalents } from './equivalent.ts';
import { mutantsIn, pickMutants } from './find-mutants.ts';
import { AWAKE, plant, REACHED } from './plant.ts';
import { parseTypeScript } from './syntax-tree.ts';
import { testsOf } from './reach.ts';

const SAMPLE = `
const LEAST: number = 2;
export const credits = (likes: number, isBonus: boolean): string[] => {
  const told: string[] = [];
  if (likes >= LEAST && !isBonus) told.push('paid');
  else told.push('free');
  return told.filter((word) => word !== '');
};`;

type Credits = (likes: number, isBonus: boolean) => string[];

/** The sample's function with one mutant awake, and what it told of being reached. */
async function wake(key: string): Promise<{ credits: Credits; reached: Set<string> }> {
  const planted = plant('sample.ts', SAMPLE, mutantsIn('sample.ts', SAMPLE));
  const { code } = await transformWithOxc(planted, 'sample.ts', { sourcemap: false });
  const reached = new Set<string>();
  const world = { [AWAKE]: key, [REACHED]: reached };
  const body = code.replaceAll('export ', '');
  // oxlint-disable-next-line no-implied-eval -- planted code is what is tested here
  const make = new Function('globalThis', `${body}; return credits;`) as (w: object) => Credits;
  return { credits: make(world), reached };
}

const CALLS: ReadonlyArray<[number, boolean]> = [
  [1, false],
  [2, false],
  [3, false],
  [3, true],
];
const answers = (credits: Credits): string => JSON.stringify(CALLS.map((call) => credits(...call)));

test('asleep, planted mutants change nothing, and each function tells that it is reached', async () => {
  const { credits, reached } = await wake('');
  expect(answers(credits)).toBe('[["free"],["paid"],["paid"],["free"]]');
  expect([...reached]).toEqual(['sample.ts#0', 'sample.ts#1']);
});

test('awake, each operator’s mutant changes what the code answers', async () => {
  const { credits } = await wake('');
  const harmless: string[] = [];
  const operators = new Set<string>();
  for (const mutant of mutantsIn('sample.ts', SAMPLE)) {
    const awake = await wake(mutant.key);
    operators.add(mutant.operator);
    if (answers(awake.credits) === answers(credits)) harmless.push(mutant.key);
  }
  expect([...operators].sort()).toEqual(
    [
      'comparison',
      'condition',
      'logic',
      'narrowing',
      'negation',
      'number',
      'statement',
      'word',
    ].sort(),
  );
  // Nothing here is an empty word, so nobody can tell whether they are left out.
  expect(harmless).toEqual([
    "sample.ts | narrowing | told.filter((word) => word !== '') | told | 1",
  ]);
});

test('what is planted in every file of every area can be read', () => {
  for (const file of AREAS.flatMap(filesOf)) {
    const source = sourceOf(file);
    parseTypeScript(plant(file, source, mutantsIn(file, source)));
  }
  expect(AREAS.map((area) => filesOf(area).length > 5)).not.toContain(false);
});

/** A pattern once for each name between its braces. */
const namesIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\{([^}]*)\}/g)].flatMap(({ 0: all, 1: names = '', index }) =>
    names
      .split(',')
      .map((name) => pattern.slice(0, index) + name + pattern.slice(index + all.length)),
  );

test('every file and folder that an area names is there', () => {
  const named = AREAS.flatMap(({ files, users }) => [
    ...files,
    ...files.flatMap(namesIn),
    ...users,
  ]);
  expect(named.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([]);
});

test('a seed picks the same mutants again, none twice, and all operators in turn', () => {
  const [money] = AREAS;
  const picked = money ? pickMutants(money, 7, 60) : [];
  expect(new Set(picked.map(({ key }) => key)).size).toBe(60);
  expect(money && pickMutants(money, 7, 60)).toEqual(picked);
  expect(new Set(picked.map(({ operator }) => operator)).size).toBe(11);
});

test('every mutant that is named equivalent is still there, with its reason', () => {
  const keys = new Set(
    AREAS.flatMap(filesOf).flatMap((file) => mutantsIn(file, sourceOf(file)).map(({ key }) => key)),
  );
  const named = readEquivalents();
  expect(named.map(keyOf).filter((key) => !keys.has(key))).toEqual([]);
  expect(named.filter(({ reason }) => reason.length < 20)).toEqual([]);
  expect(new Set(named.map(keyOf)).size).toBe(named.length);
});

test('a mutant is shown to the tests that call its function, those of its own folder first', () => {
  const [mutant] = mutantsIn('a/pause.ts', 'export const f = (n: number): boolean => n < 3;');
  const reach = (file: string, ...reached: string[]) => ({
    project: 'pglite',
    file,
    isGreen: true,
    told: '',
    seconds: 1,
    tests: [],
    hash: '',
    reached,
  });
  const all = [reach('b/far.test.ts', 'a/pause.ts#0'), reach('a/pause.test.ts', 'a/pause.ts#0')];
  const other = reach('a/other.test.ts', 'a/pause.ts#1');
  expect(mutant && testsOf(mutant, [...all, other]).map(({ file }) => file)).toEqual([
    'a/pause.test.ts',
    'b/far.test.ts',
  ]);
});

test('whatever a mutant throws can be told', () => {
  const bare = (words: object): unknown => Object.assign(Object.create(null) as object, words);
  const thrown = [
    new Error('gone'),
    bare({ message: 'bare' }),
    bare({ code: 7 }),
    'text',
    undefined,
  ];
  expect(thrown.map(errorWords)).toEqual([
    'gone',
    'bare',
    '[Object: null prototype] { code: 7 }',
    "'text'",
    'undefined',
  ]);
});
