import type { ExportCell, ExportFile } from '#web/components/export-file.ts';
import { figure } from '#web/components/figures.ts';

/** Enough to see what stands in each column. */
export const SAMPLE_ROWS = 3;

/** "1,204 lines, 21 columns" */
export function sizeInWords({ rows, heads }: ExportFile): string {
  return `${figure(rows.length)} ${rows.length === 1 ? 'line' : 'lines'}, ${heads.length} columns`;
}

/** Under each column what its numbers come to, over all rows; undefined where nothing adds up. */
export function totalsOf({ heads, rows, sums = [] }: ExportFile): string[] | undefined {
  if (sums.length === 0 || rows.length === 0) return undefined;
  const total = (column: number): number =>
    rows.reduce((sum, row) => sum + numberIn(row[column]), 0);
  return heads.map((head, column) => (sums.includes(head) ? figure(total(column)) : ''));
}

const numberIn = (cell: ExportCell | undefined): number => (typeof cell === 'number' ? cell : 0);
