import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('commas, quotes and line breaks stay inside their cell', () => {
  expect(csvOf([['a,b', 'say "yes"', 'two\nlines', 2.5]])).toBe(
    '"a,b","say ""yes""","two\nlines",2.5\r\n',
  );
});

test('text that a spreadsheet would run as a formula stays text, numbers stay numbers', () => {
  expect(csvOf([['=1+1', '@ada', '-x', '+1', -5]])).toBe("'=1+1,'@ada,'-x,'+1,-5\r\n");
});
