import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import { FILE_HEADS, fileId } from '../csv/file-columns.ts';
import type { DeskRow } from './desk-columns.tsx';

/** The rows as a spreadsheet has them: what they are known by, then the columns that are shown, in their order. */
export function deskFile(
  rows: readonly DeskRow[],
  columns: ReadonlyArray<GridColumn<DeskRow>>,
): ExportFile {
  const written = columns.filter(({ csv }) => csv !== null);
  return {
    fileName: 'accounts.csv',
    heads: [FILE_HEADS.id, ...written.map(({ label }) => label)],
    rows: rows.map((row) => [
      fileId(row.account.igId),
      ...written.map(({ csv, text }) => (csv ?? text)(row)),
    ]),
    sums: written.filter(({ sum }) => sum).map(({ label }) => label),
  };
}
