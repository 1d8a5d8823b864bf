import { counted, figure } from '#web/ui/words/figures.ts';
import type { CsvDiff, CsvFault } from './diff-csv.ts';
import type { ReadFile } from './read-accounts.ts';

/** All rows of a file, by what became of them: the figures add up. */
export function countsInWords({ empty, diff }: ReadFile): string {
  const { rows, changed, same, faulty } = diff;
  const blank = empty > 0 ? ` ${counted(empty, 'blank line')} left out.` : '';
  return `${counted(rows, 'row')}: ${figure(changed)} with changes, ${figure(same)} without, ${figure(faulty)} with errors.${blank}`;
}

/** What somebody should know of how the file was read. */
export function readInWords({ encoding, diff: { ignored, faulty } }: ReadFile): string[] {
  const notes: string[] = [];
  if (encoding === 'Windows-1252') {
    notes.push('This file isn’t UTF-8, so we read it as Windows-1252. Check letters with accents.');
  }
  if (ignored.length > 0) {
    notes.push(`Edits in other columns change nothing: ${ignored.join(', ')}.`);
  }
  if (faulty > 0) notes.push('Rows with errors are skipped.');
  return notes;
}

/** "Line 5, Plan: There is no plan of 123 likes per post." */
export const faultInWords = ({ line, column, reason }: CsvFault): string =>
  `Line ${figure(line)}${column === '' ? '' : `, ${column}`}: ${reason}`;

/** The rows with faults as they were, each fault with its line and reason. */
export function faultFile({ heads, faults }: CsvDiff): Array<Array<string | number>> {
  return [
    ['Line', 'Column', 'Reason', ...heads],
    ...faults.map(({ line, column, reason, cells }) => [line, column, reason, ...cells]),
  ];
}
