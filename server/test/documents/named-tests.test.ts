import { expect, test } from 'vitest';
import { filesIn, hasTest, missingFiles, rowsIn, testsIn } from './named-tests.ts';

test('a made-up test, a made-up file and half a name are caught', () => {
  const file = 'server/test/documents/named-tests.test.ts';
  const name = 'a made-up test, a made-up file and half a name are caught';
  expect(hasTest({ file, name })).toBe(true);
  expect(hasTest({ file, name: 'a made-up test, a made-up file' })).toBe(false);
  // Put together here, or this very file would have it.
  expect(hasTest({ file, name: ['nothing', 'can', 'be', 'broken'].join(' ') })).toBe(false);
  expect(hasTest({ file: 'server/test/made-up.test.ts', name })).toBe(false);
  const cell = '`a/b.test.ts`: one; two, `c.ts` and three; `d/e.spec.ts`: four: five';
  expect(testsIn(cell)).toEqual([
    { file: 'a/b.test.ts', name: 'one; two, `c.ts` and three' },
    { file: 'd/e.spec.ts', name: 'four: five' },
  ]);
  expect(
    missingFiles(filesIn('`server/test/made-up.ts` and `server/test/documents/named-tests.ts`')),
  ).toEqual(['server/test/made-up.ts']);
});

test('the rows of a table are found by their first cell', () => {
  const text = '| a | b |\n| --- | --- |\n| 1.2 | yes |\nbetween\n| 3 | `x` |';
  expect(rowsIn(text, /^\d/)).toEqual([
    ['1.2', 'yes'],
    ['3', '`x`'],
  ]);
});
