import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type ActivityCheck,
  type ActivityEntry,
  checkActivity,
} from '#shared/contract/people/activity.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { MissesNetwork } from '#web/customer/needs-network.tsx';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { clock, shortDate, shortTime } from '#web/ui/words/dates.ts';
import { ActivityFilters } from './activity-filters.tsx';
import styles from './activity.module.css';
import { type Filter, readAll, useActivity } from './use-activity.ts';
import { figure } from '#web/ui/words/figures.ts';

/** Who did what when (docs/decisions/0048-activity.md). */
export function ActivityPage() {
  const [filter, setFilter] = useState<Filter>({});
  const [round, setRound] = useState(0);
  const [cleared, setCleared] = useState(0);
  const readAnew = (): void => setRound(round + 1);
  const clear = (): void => {
    setFilter({});
    setCleared(cleared + 1);
    readAnew();
  };
  return (
    <CustomerPage title="Activity">
      <Tools filter={filter} />
      <ActivityFilters
        key={cleared}
        isReached={cleared > 0}
        onFilter={(next) => {
          setFilter(next);
          readAnew();
        }}
      />
      <Log key={round} filter={filter} onUndone={readAnew} onClear={clear} />
    </CustomerPage>
  );
}

interface LogProps {
  filter: Filter;
  onUndone: () => void;
  onClear: () => void;
}

function Log({ filter, onUndone, onClear }: LogProps) {
  const { entries, problem, isOnline, isLoading, more } = useActivity(filter);
  const isEmpty = isOnline && !isLoading && problem === undefined && entries?.length === 0;
  return (
    <>
      {!isOnline && <MissesNetwork what="What was done" />}
      <FormProblem sentence={problem} />
      <p role="status">{isLoading && 'Loading…'}</p>
      {isEmpty && <NoEntries isFiltered={Object.keys(filter).length > 0} onClear={onClear} />}
      <Days entries={entries ?? []} onUndone={onUndone} />
      {more && (
        <Button variant="default" onClick={more}>
          {problem === undefined ? 'Show more' : 'Try again'}
        </Button>
      )}
    </>
  );
}

function NoEntries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState scene="results" title="Nothing has happened yet" isHeading role="status">
        <p>Changes to accounts, plans and the team show up here, with who made them and when.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState scene="results" title="Nothing matches these filters" isHeading role="status">
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  );
}

/** The file, and the check that the log is as it was written. */
function Tools({ filter }: { filter: Filter }) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const dialogs = useDialogs();
  const seesAll = useMay('readMoney');
  const [busy, setBusy] = useState<'file' | 'check'>();
  const [problem, setProblem] = useState<string>();
  const [checked, setChecked] = useState<{ sentence: string; isWhole: boolean }>();
  const newest = useNewest();
  const save = async (): Promise<void> => {
    const isNewest = newest();
    setBusy('file');
    setProblem(undefined);
    const all = await readAll(api, userId, filter);
    setBusy(undefined);
    if (!isNewest()) return undefined;
    if (typeof all === 'string') return setProblem(all);
    return dialogs.open({ kind: 'export', file: fileOf(all) });
  };
  const check = async (): Promise<void> => {
    setBusy('check');
    setProblem(undefined);
    setChecked(undefined);
    const answer = await api.call(checkActivity, { userId });
    setBusy(undefined);
    if (answer.kind !== 'success') return setProblem(problemOf(answer));
    const sentence = checkWords(answer.data, platform.timeZone());
    return setChecked({ sentence, isWhole: answer.data.problem === null });
  };
  return (
    <>
      <div className={styles['buttons']}>
        <Button
          variant="default"
          leftSection={<DownloadIcon />}
          loading={busy === 'file'}
          onClick={() => void save()}
        >
          Export
        </Button>
        {seesAll && (
          <Button variant="default" loading={busy === 'check'} onClick={() => void check()}>
            Check that nothing was changed
          </Button>
        )}
      </div>
      <FormProblem sentence={problem} />
      {checked && (
        <p className="notice" data-tone={checked.isWhole ? 'good' : 'bad'} role="status">
          {checked.sentence}
        </p>
      )}
    </>
  );
}

function fileOf(entries: readonly ActivityEntry[]): ExportFile {
  return {
    fileName: 'activity.csv',
    heads: ['Entry', 'Time (UTC)', 'Who', 'What', 'Account', 'About'],
    rows: entries.map(({ entry, at, who, text, igUsername, kind }) => [
      entry,
      at,
      who,
      text,
      igUsername ?? '',
      kind,
    ]),
  };
}

/** The sentences, under the day they belong to. */
function Days({ entries, onUndone }: { entries: readonly ActivityEntry[]; onUndone: () => void }) {
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const days = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const day = shortDate(Date.parse(entry.at), timeZone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={styles['day']} aria-label={day}>
      <h2>{day}</h2>
      <ul>
        {ofDay.map((entry) => (
          <li key={entry.entry}>
            <time className="c-soft" dateTime={entry.at}>
              {clock(Date.parse(entry.at), timeZone)}
            </time>
            <p className="wrap-anywhere">{entry.text}</p>
            <Undo entry={entry} onUndone={onUndone} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Undo({ entry, onUndone }: { entry: ActivityEntry; onUndone: () => void }) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { operationId, undoUntil } = entry;
  if (operationId === null || undoUntil === null) return null;
  const undo = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    // Seldom wanted, and it would bring all that is paid with along.
    const { undoBulk } = await import('#shared/contract/accounts/bulk.ts');
    const answer = await api.call(undoBulk, { userId, operationId });
    setIsBusy(false);
    if (answer.kind !== 'success') return setProblem(problemOf(answer));
    toastSuccess('The changes are being undone');
    return onUndone();
  };
  return (
    <div className={styles['undo']}>
      <Button variant="default" loading={isBusy} onClick={() => void undo()}>
        Undo until {clock(Date.parse(undoUntil), platform.timeZone())}
      </Button>
      <FormProblem sentence={problem} />
    </div>
  );
}

/** What was looked at, and what came of it. */
function checkWords(
  { entries, from, until, fingerprint, problem }: ActivityCheck,
  timeZone: string,
): string {
  if (problem !== null) {
    return `The log isn’t as it was written: ${problem}. Please write to us.`;
  }
  if (from === null || until === null) return 'Nothing has been written yet.';
  const time = (at: string): string => shortTime(Date.parse(at), timeZone);
  return `Nothing was changed, removed or moved. We checked ${figure(entries)} ${entries === 1 ? 'entry' : 'entries'}, from ${time(from)} to ${time(until)}. Fingerprint: ${fingerprint}`;
}
