import { expect, test } from 'vitest';
import { filesIn, hasTest, missingFiles, readPage, rowsIn, testsIn } from './named-tests.ts';

const PAGE = readPage('docs/security.md');
const TABLE = rowsIn(PAGE.slice(PAGE.indexOf('## ASVS')), /^\d/).map(
  ([id = '', requirement = '', met = '', where = '', proof = '']) => ({
    id,
    requirement,
    met,
    where,
    proof,
  }),
);
const ANSWERS = ['yes', 'partly', 'no', 'by the operator', 'not applicable'];

/** How many requirements of level 1 and 2 each section of version 5.0.0 has; those of level 3 come last. */
const SECTIONS = new Map(
  `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2
  7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3
  12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1
  16.2:5 16.3:4 16.4:3 16.5:3`
    .split(/\s+/)
    .map((each): [string, number] => {
      const [section = '', count = ''] = each.split(':');
      return [section, Number(count)];
    }),
);

/** The ids a cell stands for: "1.1.1", "1.1.1 to 1.1.3", "6.8". */
function idsIn(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [from = '', to = from] = part.split(' to ');
    const section = from.split('.').slice(0, 2).join('.');
    if (from === section) return idsOf(section, 1, SECTIONS.get(section) ?? 0);
    return idsOf(section, Number(from.split('.')[2]), Number(to.split('.')[2]));
  });
}

function idsOf(section: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
}

test('every file that the security page names is there', () => {
  const files = filesIn(PAGE);
  expect(files.length).toBeGreaterThan(50);
  expect(missingFiles(files)).toEqual([]);
});

test('every test that the table names is there, under that name', () => {
  const named = TABLE.flatMap(({ proof }) => testsIn(proof));
  expect(named.length).toBeGreaterThan(90);
  expect(named.filter((each) => !hasTest(each))).toEqual([]);
});

test('every attack that once worked names its tests, and they are there', () => {
  const part = PAGE.slice(PAGE.indexOf('### Attacks that'), PAGE.indexOf('## How a request'));
  const rows = rowsIn(part, /^[A-Z]\d+\b/);
  expect(rows.length).toBeGreaterThan(25);
  const bare = rows.filter((cells) => testsIn(cells[3] ?? '').length === 0);
  expect(bare.map((cells) => cells[0])).toEqual([]);
  const named = rows.flatMap((cells) => testsIn(cells[3] ?? ''));
  expect(named.filter((each) => !hasTest(each))).toEqual([]);
});

test('every requirement of level 1 and 2 stands in the table once', () => {
  const wanted = [...SECTIONS].flatMap(([section, count]) => idsOf(section, 1, count));
  const found = TABLE.flatMap(({ id }) => idsIn(id));
  expect(wanted.filter((id) => !found.includes(id))).toEqual([]);
  expect(found.filter((id, index) => found.indexOf(id) !== index || !wanted.includes(id))).toEqual(
    [],
  );
});

test('what is said to be met says where, and is shown by a test or said by the page itself', () => {
  expect(TABLE.map(({ met }) => met).filter((met) => !ANSWERS.includes(met))).toEqual([]);
  const bare = TABLE.filter(({ met, where, proof }) => {
    const isShown = testsIn(proof).length > 0 || where === 'this page';
    return where === '' || (met === 'yes' && !isShown);
  });
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('what is not met is explained above the table', () => {
  const missing = TABLE.filter(({ met, where }) => met === 'no' || where === 'see above');
  const explained = PAGE.slice(PAGE.indexOf('## Known gaps'), PAGE.indexOf('## Tests that'));
  const ids = missing.flatMap(({ id }) => idsIn(id));
  expect(ids.length).toBeGreaterThan(5);
  expect(ids.filter((id) => !explained.includes(id))).toEqual([]);
});
