import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { csvOf, UTF8_MARK } from '#shared/domain/csv.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted, figure } from '#web/ui/words/figures.ts';
import { runningPlan } from '../list/account-status.ts';
import { type ComparedAccount, type CsvDiff, type CsvFault, tooMany } from './diff-csv.ts';
import type { ReadFile } from './read-accounts.ts';
import styles from './upload.module.css';
import { useReadFile } from './use-read-file.ts';

const SHOWN_FAULTS = 20;

/** A file of accounts, edited elsewhere: read, compared, and shown before anything happens. */
export function UploadDialog() {
  const [chosen, setChosen] = useState<{ file: File; nr: number }>();
  return (
    <DialogFrame title="Upload a CSV" size="40rem">
      <p>
        Download the table as a CSV, edit its Plan and Tags columns in a spreadsheet, and upload it
        here. You see every change before anything happens.
      </p>
      <label className={styles['file']}>
        CSV file
        <input
          type="file"
          accept=".csv,.txt,.tsv,text/csv"
          data-autofocus
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0];
            if (file) setChosen({ file, nr: (chosen?.nr ?? 0) + 1 });
          }}
        />
      </label>
      {chosen && <Uploaded key={chosen.nr} file={chosen.file} />}
    </DialogFrame>
  );
}

function Uploaded({ file }: { file: File }) {
  const connected = useClientState((state) => state.connectedAccounts);
  const accounts = useMemo(
    () =>
      connected.map((account): ComparedAccount => ({
        igUsername: account.igUsername,
        igId: account.igId,
        likes: runningPlan(account)?.likes ?? null,
        tags: account.tags,
      })),
    [connected],
  );
  const reading = useReadFile(file, accounts);
  if (reading.kind === 'reading') return <p role="status">Reading the file…</p>;
  if (reading.kind === 'failed') return <FormProblem sentence={reading.problem} />;
  return <Result read={reading.read} />;
}

function Result({ read }: { read: ReadFile }) {
  const dialogs = useDialogs();
  const { diff } = read;
  const { changes } = diff;
  const beyond = tooMany(diff);
  const notes = readInWords(read);
  return (
    <>
      <p role="status">{countsInWords(read)}</p>
      {notes.map((note) => (
        <p key={note} className={parts['note']}>
          {note}
        </p>
      ))}
      <Faults diff={diff} />
      <FormProblem sentence={beyond} />
      <div className={parts['actions']}>
        {changes.length > 0 && beyond === undefined && (
          <Button onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], changes })}>
            Check {figure(changes.length)} {changes.length === 1 ? 'change' : 'changes'}
          </Button>
        )}
        <Button variant="default" onClick={dialogs.close}>
          Cancel
        </Button>
      </div>
    </>
  );
}

function Faults({ diff }: { diff: CsvDiff }) {
  const { platform } = useServices();
  const { faults } = diff;
  if (faults.length === 0) return null;
  const save = (): void =>
    platform.saveFile(
      'rows-with-errors.csv',
      UTF8_MARK + csvOf(faultFile(diff)),
      'text/csv;charset=utf-8',
    );
  return (
    <section className={styles['faults']} data-tone="bad" aria-label="Errors">
      <ul>
        {faults.slice(0, SHOWN_FAULTS).map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.reason}`}>{faultInWords(fault)}</li>
        ))}
      </ul>
      {faults.length > SHOWN_FAULTS && <p>And {figure(faults.length - SHOWN_FAULTS)} more.</p>}
      <div className={parts['actions']}>
        <Button variant="default" onClick={save}>
          Download the rows with errors
        </Button>
      </div>
    </section>
  );
}

/** All rows of a file, by what became of them: the figures add up. */
function countsInWords({ empty, diff }: ReadFile): string {
  const { rows, changed, same, faulty } = diff;
  const blank = empty > 0 ? ` ${counted(empty, 'blank line')} left out.` : '';
  return `${counted(rows, 'row')}: ${figure(changed)} with changes, ${figure(same)} without, ${figure(faulty)} with errors.${blank}`;
}

/** What somebody should know of how the file was read. */
function readInWords({ encoding, diff: { ignored, faulty } }: ReadFile): string[] {
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
const faultInWords = ({ line, column, reason }: CsvFault): string =>
  `Line ${figure(line)}${column === '' ? '' : `, ${column}`}: ${reason}`;

/** The rows with faults as they were, each fault with its line and reason. */
function faultFile({ heads, faults }: CsvDiff): Array<Array<string | number>> {
  return [
    ['Line', 'Column', 'Reason', ...heads],
    ...faults.map(({ line, column, reason, cells }) => [line, column, reason, ...cells]),
  ];
}
