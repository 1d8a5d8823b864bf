import { Button } from '@mantine/core';
import { csvOf } from '#shared/domain/csv.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import type { ExportFile } from '#web/platform/export-file.ts';
import { DownloadIcon } from '#web/components/icons.tsx';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './export-dialog.module.css';
import { SAMPLE_ROWS, sizeInWords, totalsInWords } from './export-sample.ts';

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
          onClick={() => save(fileName, csvOf([heads, ...rows]), 'text/csv;charset=utf-8')}
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

function Sample({ file }: { file: ExportFile }) {
  const { fileName, heads, rows } = file;
  return (
    // Wider than any screen: it is scrolled, by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as said above
    <section className={styles['sample']} aria-label={`First lines of ${fileName}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SAMPLE_ROWS).map((row, nth) => (
            // The lines of a file have no names and never change places.
            // oxlint-disable-next-line react/no-array-index-key -- as said above
            <tr key={nth}>
              {heads.map((head, column) => (
                <td key={head} data-numeric={typeof row[column] === 'number' || undefined}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
