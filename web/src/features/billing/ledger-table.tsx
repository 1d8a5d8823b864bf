import { useMemo } from 'react';
import type { LedgerEntry } from '#shared/contract/credits.ts';
import type { Column } from '#web/components/data-table/column.ts';
import { DataTable } from '#web/components/data-table/data-table.tsx';
import { TableToolbar } from '#web/components/data-table/table-toolbar.tsx';
import { useTableView } from '#web/components/data-table/use-table-view.ts';
import { shortTime } from '#web/components/short-date.ts';
import { useServices } from '#web/platform/services.ts';

function ledgerColumns(timeZone: string): Column<LedgerEntry>[] {
  const count = (credits: number): string => credits.toLocaleString('en-US');
  return [
    {
      key: 'date',
      label: 'Date',
      width: '10rem',
      text: (entry) => shortTime(Date.parse(entry.at), timeZone),
      sortBy: (entry) => Date.parse(entry.at),
      csv: (entry) => entry.at,
    },
    {
      key: 'description',
      label: 'Description',
      width: 'minmax(10rem, 2fr)',
      text: (entry) => entry.description,
      sortBy: (entry) => entry.description,
    },
    {
      key: 'credits',
      label: 'Change',
      width: '7rem',
      isNumeric: true,
      text: (entry) => (entry.credits > 0 ? `+${count(entry.credits)}` : count(entry.credits)),
      sortBy: (entry) => entry.credits,
      csv: (entry) => entry.credits,
    },
    {
      key: 'balance',
      label: 'Balance',
      width: '7rem',
      isNumeric: true,
      text: (entry) => count(entry.balance),
      sortBy: (entry) => entry.balance,
      csv: (entry) => entry.balance,
    },
  ];
}

/** Every change of the credits, newest first. */
export function LedgerTable({ entries, balance }: { entries: LedgerEntry[]; balance: number }) {
  const timeZone = useServices().platform.timeZone();
  const columns = useMemo(() => ledgerColumns(timeZone), [timeZone]);
  const view = useTableView(entries, columns, { key: 'date', isDescending: true });
  if (entries.length === 0) return <p>You have no credits yet.</p>;
  return (
    <>
      <p>
        You have <strong>{balance.toLocaleString('en-US')}</strong> credits.
      </p>
      <TableToolbar
        view={view}
        columns={columns}
        searchLabel="Search credits"
        csv={{ rows: view.shown, label: 'Download credits CSV', fileName: 'credits.csv' }}
      />
      {view.shown.length === 0 && <p role="status">No entry fits.</p>}
      <DataTable
        label="Credits ledger"
        columns={columns}
        rows={view.shown}
        idOf={(entry) => entry.id}
        nameOf={(entry) => entry.description}
        sort={view.sort}
        onSort={view.setSort}
      />
    </>
  );
}
