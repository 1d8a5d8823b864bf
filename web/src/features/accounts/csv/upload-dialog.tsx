import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '#shared/contract/accounts/clients.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted, figure } from '#web/ui/words/figures.ts';
import { useClientList, useNamesClients } from '../dialogs/use-client-list.ts';
import { FILE_HEADS } from './file-columns.ts';
import { headKey } from './parse-csv.ts';
import { type ReadFile, tooMany } from './read-accounts.ts';
import styles from './upload.module.css';
import { useReadFile } from './use-read-file.ts';

/** A file of accounts, edited elsewhere: read, compared, and shown before anything happens. */
export function UploadDialog() {
  const [chosen, setChosen] = useState<{ file: File; nr: number }>();
  const hasClients = useNamesClients();
  const columns = hasClients ? 'Plan, Tags and Client' : 'Plan and Tags';
  const Compare = hasClients ? WithClients : Uploaded;
  return (
    <DialogFrame title="Upload a CSV" size="40rem">
      <p>
        Download the table as a CSV, edit its {columns} columns in a spreadsheet, and upload it
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
      {chosen && <Compare key={chosen.nr} file={chosen.file} />}
    </DialogFrame>
  );
}

function WithClients({ file }: { file: File }) {
  const { clients, problem } = useClientList();
  const isOnline = useOnline();
  if (clients) return <Uploaded key="clients" file={file} clients={clients} />;
  if (!isOnline) return <Uploaded file={file} lacksClients />;
  if (problem !== undefined) return <FormProblem sentence={problem} />;
  return <p role="status">Reading the file…</p>;
}

interface UploadedProps {
  file: File;
  clients?: readonly Client[];
  /** Who the clients are is known once the device is connected: until then their column isn’t compared. */
  lacksClients?: boolean;
}

function Uploaded({ file, clients, lacksClients = false }: UploadedProps) {
  const accounts = useClientState((state) => state.connectedAccounts);
  const reading = useReadFile(file, { accounts, clients });
  if (reading.kind === 'reading') return <p role="status">Reading the file…</p>;
  if (reading.kind === 'failed') return <FormProblem sentence={reading.problem} />;
  const { read } = reading;
  return read.problem === undefined ? (
    <Result read={read} lacksClients={lacksClients} />
  ) : (
    <>
      <FormProblem sentence={read.problem} />
      {lacksClients && <p className={parts['note']}>{CLIENTS_LATER}</p>}
    </>
  );
}

function Result({ read, lacksClients }: { read: ReadFile; lacksClients: boolean }) {
  const dialogs = useDialogs();
  const isOnline = useOnline();
  const { changes, changeCount } = read;
  const beyond = tooMany(changeCount);
  const notes = readInWords(read, lacksClients);
  return (
    <>
      <p role="status">{countsInWords(read)}</p>
      {notes.map((note) => (
        <p key={note} className={parts['note']}>
          {note}
        </p>
      ))}
      <Faults read={read} />
      <FormProblem sentence={beyond} />
      {!isOnline && (
        <p className="notice" data-tone="wait" role="status">
          You’re offline. The file was read and compared on this device. Connect to see prices and
          make the changes.
        </p>
      )}
      <div className={parts['actions']}>
        {changes.length > 0 && (
          <Button
            disabled={!isOnline}
            onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], changes })}
          >
            Check {counted(changeCount, 'change')}
          </Button>
        )}
        <Button variant="default" onClick={dialogs.close}>
          Cancel
        </Button>
      </div>
    </>
  );
}

function Faults({ read: { faults, faultCount, faultFile } }: { read: ReadFile }) {
  const { platform } = useServices();
  if (!faultFile) return null;
  const save = (): void =>
    platform.saveFile('rows-with-errors.csv', faultFile, 'text/csv;charset=utf-8');
  return (
    <section className={styles['faults']} data-tone="bad" aria-label="Errors">
      <ul>
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.reason}`}>{faultInWords(fault)}</li>
        ))}
      </ul>
      {faultCount > faults.length && <p>And {figure(faultCount - faults.length)} more.</p>}
      <div className={parts['actions']}>
        <Button variant="default" onClick={save}>
          Download the rows with errors
        </Button>
      </div>
    </section>
  );
}

/** All rows of a file, by what became of them: the figures add up. */
function countsInWords({ empty, continued, rows, changed, same, faulty }: ReadFile): string {
  const blank = empty > 0 ? ` ${counted(empty, 'blank line')} left out.` : '';
  const belongs = continued === 1 ? 'belongs' : 'belong';
  const further =
    continued > 0 ? ` ${counted(continued, 'further line')} ${belongs} to the row above.` : '';
  return `${counted(rows, 'row')}: ${figure(changed)} with changes, ${figure(same)} without, ${figure(faulty)} with errors.${blank}${further}`;
}

const CLIENTS_LATER = 'Clients are compared once you’re connected.';

/** What somebody should know of how the file was read. */
function readInWords({ encoding, ignored, faulty }: ReadFile, lacksClients: boolean): string[] {
  const notes: string[] = [];
  if (encoding === 'Windows-1252') {
    notes.push('This file isn’t UTF-8, so we read it as Windows-1252. Check letters with accents.');
  }
  const clients = headKey(FILE_HEADS.client);
  const others = ignored.filter((column) => !lacksClients || headKey(column) !== clients);
  if (others.length < ignored.length) {
    notes.push(CLIENTS_LATER);
  }
  if (others.length > 0) {
    notes.push(`Edits in other columns change nothing: ${others.join(', ')}.`);
  }
  if (faulty > 0) notes.push('Rows with errors are skipped.');
  return notes;
}

/** "Line 5, Plan: There is no plan of 123 likes per post." */
const faultInWords = ({ line, column, reason }: ReadFile['faults'][number]): string =>
  `Line ${figure(line)}${column === '' ? '' : `, ${column}`}: ${reason}`;
