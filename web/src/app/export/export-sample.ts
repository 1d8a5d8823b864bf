import { isUuid } from '#shared/domain/ids.ts';
import type { ExportCell, ExportFile } from '#web/ui/data-table/export-file.ts';
import { counted, figure } from '#web/ui/words/figures.ts';

/** Enough to see what stands in each column. */
export const SAMPLE_ROWS = 3;

/** What only programs read. */
export function isId(cell: ExportCell | undefined): boolean {
  return isUuid(String(cell));
}

/** "1,204 lines, 22 columns. Here’s how it starts." */
export function sizeInWords({ rows, heads }: ExportFile): string {
  const first = rows.length > SAMPLE_ROWS ? ' Here’s how it starts.' : '';
  return `${counted(rows.length, 'line')}, ${heads.length} columns.${first}`;
}

/** What the columns come to over all rows, "Totals: Ordered 1,250, Delivered 980."; empty where nothing adds up. */
export function totalsInWords({ heads, rows, sums = [] }: ExportFile): string {
  const total = (column: number): number =>
    rows.reduce((sum, row) => sum + numberIn(row[column]), 0);
  const said = heads.flatMap((head, column) => {
    const sum = sums.includes(head) ? total(column) : 0;
    return sum === 0 ? [] : [`${head} ${figure(sum)}`];
  });
  return said.length === 0 ? '' : `Totals: ${said.join(', ')}.`;
}

const numberIn = (cell: ExportCell | undefined): number => (typeof cell === 'number' ? cell : 0);
