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

test('semicolons and tabs stay inside their cell where they part cells, too', () => {
  expect(csvOf([['007;', 'nice;=1+1', 'c\t=1+1']])).toBe('"007;","nice;=1+1","c\t=1+1"\r\n');
});
