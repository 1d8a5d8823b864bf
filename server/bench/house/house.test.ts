import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isAbove, judge, tableOf } from './judge.ts';
import {
  customerWriters,
  foldersInCycle,
  importsThatRunUp,
  productLines,
  wingsInCycle,
  withOneImporter,
} from './measures.ts';
import { importsOf, readTree, type Tree } from './read-tree.ts';
import { ROWS } from './rows.ts';
import { findGaps, readWalks } from './walks.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((each) => rm(each, { recursive: true }))));

async function plant(files: Record<string, string>): Promise<Tree> {
  const root = await mkdtemp(join(tmpdir(), 'ovation-house-'));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return readTree(root);
}

const LIMITS = ROWS.filter(({ isLimit }) => isLimit);
const exceededIn = async (tree: Tree): Promise<string[]> =>
  (await judge(tree, LIMITS)).filter(isAbove).flatMap(({ counted }) => counted);

test('an import that runs up is found, the type of one too', async () => {
  const tree = await plant({
    'server/src/identity/a.ts': `import type { X } from '#server/money/b.ts';\n`,
    'server/src/money/b.ts': `export interface X {}\n`,
  });
  expect(await exceededIn(tree)).toEqual(['server/src/identity/a.ts -> server/src/money/b.ts']);
});

test('a folder that is too full is found, whatever lies in folders below it', async () => {
  const named = (folder: string, many: number): Array<[string, string]> =>
    Array.from({ length: many }, (_, nth) => [`${folder}/m${nth}.ts`, 'export const a = 1;\n']);
  const tree = await plant(
    Object.fromEntries([...named('server/src/mail', 23), ...named('server/src/mail/kinds', 22)]),
  );
  expect(await exceededIn(tree)).toEqual(['server/src/mail: 23']);
});

test('wings that reach each other over a third are found, but not through types', async () => {
  const files = {
    'server/src/identity/a.ts': `import { b } from '../network/b.ts';\n`,
    'server/src/network/b.ts': `import {\n  c,\n} from '#server/money/c.ts';\n`,
    'server/src/audit/d.ts': `import { a } from '../identity/a.ts';\n`,
  };
  const closed = await plant({
    ...files,
    'server/src/money/c.ts': `const a = await import('../identity/a.ts');\n`,
  });
  expect(wingsInCycle(closed).counted).toEqual(['identity', 'money', 'network']);
  const open = await plant({
    ...files,
    'server/src/money/c.ts': `import { type A } from '../identity/a.ts';\n`,
  });
  expect(wingsInCycle(open).now).toBe(0);
});

test('folders of a room that reach each other are found, whatever files they do it in', async () => {
  const tree = await plant({
    'web/src/replica/store/a.ts': `import { b } from '../engine/b.ts';\n`,
    'web/src/replica/store/d.ts': '',
    'web/src/replica/engine/b.ts': '',
    'web/src/replica/engine/c.ts': `import { d } from '#web/replica/store/d.ts';\n`,
    'web/src/replica/queries/e.ts': `import { d } from '../store/d.ts';\n`,
    'web/src/customer/f.ts': `import { e } from '#web/replica/queries/e.ts';\n`,
  });
  expect(foldersInCycle(tree, 'web/src/replica')?.counted).toEqual(['engine', 'store']);
  expect(foldersInCycle(tree, 'server/src/money')).toBeUndefined();
});

test('a folder without a place in the order leaves the figure out', async () => {
  const tree = await plant({
    'server/src/attic/a.ts': `import { b } from '../money/b.ts';\n`,
    'server/src/money/b.ts': '',
  });
  expect(importsThatRunUp(tree)).toBeUndefined();
  expect(tableOf(await judge(tree, LIMITS))).toContain('not there');
});

test('tests, fakes and what measures are no product, and no importers', async () => {
  const tree = await plant({
    'shared/a.ts': 'one\ntwo\n',
    'shared/b.ts': `import { a } from './a.ts';\n`,
    'shared/a.test.ts': `import { b } from './b.ts';\n`,
    'server/src/kit/db.fake.ts': `import { a } from '#shared/a.ts';\n`,
    'web/e2e/a.spec.ts': `import { a } from '#shared/a.ts';\n`,
    'web/src/a.css': 'one\n',
  });
  expect(productLines(tree).counted).toEqual(['shared: 3', 'web/src: 1']);
  expect(withOneImporter(tree).counted).toEqual(['shared/a.ts <- shared/b.ts']);
  expect(withOneImporter(tree, 1).now).toBe(0);
});

test('what sets the customer on the client is counted, what picks an account isn’t', async () => {
  const tree = await plant({
    'web/src/a.ts': 'state.setState(stateWithUser(before, user));\n',
    'web/src/b.ts': 'state.setState({ activeAccount });\n',
    'web/src/c.ts': 'setState(value);\n',
  });
  expect(customerWriters(tree).counted).toEqual(['web/src/a.ts']);
});

test('imports are read in each way they are written', () => {
  const text = [
    `import a from './a.ts';`,
    `import type { B } from '../b.ts';`,
    `import { type C, type D } from '#shared/c.ts';`,
    `export { e } from '#server/kit/e.ts';`,
    `import './f.css';`,
    `import { g } from 'hono';`,
  ].join('\n');
  expect(importsOf('web/src/x.ts', text)).toEqual([
    { from: 'web/src/x.ts', to: 'web/src/a.ts', isTypeOnly: false },
    { from: 'web/src/x.ts', to: 'web/b.ts', isTypeOnly: true },
    { from: 'web/src/x.ts', to: 'shared/c.ts', isTypeOnly: true },
    { from: 'web/src/x.ts', to: 'server/src/kit/e.ts', isTypeOnly: false },
    { from: 'web/src/x.ts', to: 'web/src/f.css', isTypeOnly: false },
  ]);
});

test('a walk is its files in their order, with how one gets to each', () => {
  const page =
    '# A\n\n## Walks\n\n### A post\n\n1. `a.ts` asks\n2. by HTTP: `b.ts` answers\n\n## B\n';
  expect([...readWalks(page)]).toEqual([
    [
      'A post',
      [
        { by: undefined, file: 'a.ts' },
        { by: 'HTTP', file: 'b.ts' },
      ],
    ],
  ]);
});

test('a gap in a walk and a file that is gone are found', async () => {
  const tree = await plant({
    'shared/a.ts': `import { b } from './b.ts';\n`,
    'shared/b.ts': '',
    'shared/c.ts': '',
  });
  const step = (file: string, by?: string) => ({ file: `shared/${file}.ts`, by });
  expect(findGaps(tree, [step('a'), step('b'), step('c'), step('d')])).toEqual([
    'nothing leads to shared/c.ts',
    'there is no shared/d.ts',
  ]);
  expect(findGaps(tree, [step('a'), step('b'), step('c', 'a due row')])).toEqual([]);
});

test('the table has a line for each figure, and says which are above what is wanted', async () => {
  const text = tableOf([
    { what: 'first', before: '9', wanted: 1000, now: 2000, counted: [], isLimit: true },
    { what: 'second one', before: '8', now: undefined, counted: [], note: 'told' },
  ]);
  expect(text.split('\n')).toEqual([
    'what        22 November        now    wanted',
    'first                 9      2,000  <= 1,000  above, limit',
    'second one            8  not there            told',
  ]);
});
