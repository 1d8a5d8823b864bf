import { expect, test } from 'vitest';
import { linesOfParty } from './document-pdf.ts';

const shownOf = (lines: ReturnType<typeof linesOfParty>): string[] =>
  lines.map(({ shown }) => shown);

test('a name and address in letters of the font are printed as they are', () => {
  const lines = linesOfParty('Łukasz Żółć', ['ul. Długa 1', 'Kraków 30-001'], 'PL1234567890');
  expect(shownOf(lines)).toEqual([
    'Łukasz Żółć',
    'ul. Długa 1',
    'Kraków 30-001',
    'Tax ID PL1234567890',
  ]);
});

test('what the font has no letters for is named, never printed in part, and its words stand beside it', () => {
  const lines = linesOfParty('山田太郎', ['丸の内 1-1', 'Apt 5', '東京都 100-0001', 'Japan']);
  expect(shownOf(lines)).toEqual([
    'Name in letters not printed here',
    'Apt 5',
    'Japan',
    'Address in letters not printed here',
  ]);
  expect(lines.map(({ text }) => text)).toEqual([
    '山田太郎',
    'Apt 5',
    'Japan',
    '丸の内 1-1, 東京都 100-0001',
  ]);
});
