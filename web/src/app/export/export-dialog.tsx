import { Button } from '@mantine/core';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import preview from '#web/ui/dialog/preview-table.module.css';
import type { ExportCell, ExportFile } from '#web/ui/data-table/export-file.ts';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './export-dialog.module.css';
import { isUuid } from '#shared/domain/ids.ts';
import { counted, figure } from '#web/ui/words/figures.ts';

/** Enough to see what stands in each column. */
const SAMPLE_ROWS = 3;
/** As spreadsheets count: the heads are the first. */
const FIRST_LINE = 2;

/** What is in a file, before it is saved: its first lines, and what its columns come to. */
export function ExportDialog({ file }: { file: ExportFile }) {
  const { platform } = useServices();
  const dialogs = useDialogs();
  const { fileName, heads, rows, json } = file;
  const save = (name: string, text: string, mediaType: string): void => {
    platform.saveFile(name, text, mediaType);
    dialogs.close();
  };
  return (
    <DialogFrame title="What’s in the file" size="46rem">
      <p>{sizeInWords(file)}</p>
      <Sample file={file} />
      <p className={styles['totals']}>{totalsInWords(file)}</p>
      <div className={parts['actions']}>
        <Button
          data-autofocus
          leftSection={<DownloadIcon />}
          onClick={() =>
            save(fileName, UTF8_MARK + csvOf([heads, ...rows]), 'text/csv;charset=utf-8')
          }
        >
          Save as CSV
        </Button>
        {json && (
          <Button
            variant="default"
            onClick={() => save(json.fileName, json.text, 'application/json')}
          >
            Save as JSON
          </Button>
        )}
      </div>
    </DialogFrame>
  );
}

/** The file on its side: a column a row, so that none is out of sight to the right. */
function Sample({ file }: { file: ExportFile }) {
  const { fileName, heads, rows } = file;
  const lines = rows.slice(0, SAMPLE_ROWS);
  return (
    // Longer than the dialog: it is scrolled, by keys too.
    <section
      className={`${preview['table']} ${styles['sample']}`}
      aria-label={`First lines of ${fileName}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as said above
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            {lines.map((_, nth) => (
              // The lines of a file have no names and never change places.
              // oxlint-disable-next-line react/no-array-index-key -- as said above
              <th key={nth} scope="col">
                Line {FIRST_LINE + nth}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heads.map((head, column) => (
            <tr key={head}>
              <th scope="row">{head}</th>
              {lines.map((line, nth) => (
                // oxlint-disable-next-line react/no-array-index-key -- as said above
                <td key={nth}>{isId(line[column]) ? 'A unique ID' : line[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What only programs read. */
export function isId(cell: ExportCell | undefined): boolean {
  return isUuid(String(cell));
}

/** "1,204 rows, 22 columns. Here’s how it starts." */
export function sizeInWords({ rows, heads }: ExportFile): string {
  const first = rows.length > SAMPLE_ROWS ? ' Here’s how it starts.' : '';
  return `${counted(rows.length, 'row')}, ${heads.length} columns.${first}`;
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
