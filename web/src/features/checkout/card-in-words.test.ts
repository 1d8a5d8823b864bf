import { expect, test } from 'vitest';
import { accountExample, unpaidAccount } from '#web/testing/examples.ts';
import { paysForInWords } from './card-in-words.ts';

const paid = (...names: string[]) =>
  names.map((igUsername) => accountExample({ igUsername, igId: igUsername }));

test('the plans that a saved card pays are named; beyond three they are counted', () => {
  expect(paysForInWords([unpaidAccount()])).toBeUndefined();
  expect(paysForInWords([...paid('a'), unpaidAccount()])).toBe('Pays for @a.');
  expect(paysForInWords(paid('a', 'b'))).toBe('Pays for @a and @b.');
  expect(paysForInWords(paid('a', 'b', 'c', 'd', 'e'))).toBe('Pays for @a, @b, @c, and 2 more.');
});
