import { useMemo } from 'react';
import type { LedgerEntry } from '#shared/contract/money/credits.ts';
import type { Column } from '#web/ui/data-table/column.ts';
import { SearchableTable } from '#web/customer/tables/searchable-table.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { shortTime } from '#web/ui/words/dates.ts';
import { useServices } from '#web/platform/services.ts';

function ledgerColumns(timeZone: string): Column<LedgerEntry>[] {
  const count = (credits: number): string => credits.toLocaleString('en-US').replace('-', '−');
  return [
    {
      key: 'date',
      label: 'Date',
      width: '11.5rem',
      text: (entry) => shortTime(Date.parse(entry.at), timeZone),
      sortBy: (entry) => Date.parse(entry.at),
      csv: (entry) => entry.at,
    },
    {
      key: 'description',
      head: 'title',
      label: 'Description',
      width: 'minmax(10rem, 2fr)',
      text: (entry) => entry.description,
      sortBy: (entry) => entry.description,
    },
    {
      key: 'credits',
      head: 'end',
      label: 'Change',
      width: '7rem',
      isNumeric: true,
      text: (entry) => (entry.credits > 0 ? `+${count(entry.credits)}` : count(entry.credits)),
      sortBy: (entry) => entry.credits,
      csv: (entry) => entry.credits,
      addsUp: true,
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
  if (entries.length === 0) {
    return (
      <EmptyState scene="payments" title="You have no credits yet.">
        <p>
          One credit is one like, on any post. Everything you buy, use and get back is listed here.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <p>
        You have <strong>{balance.toLocaleString('en-US')}</strong> credits.
      </p>
      <SearchableTable
        label="Credits ledger"
        columns={columns}
        rows={entries}
        opening={{ key: 'date', isDescending: true }}
        idOf={(entry) => entry.id}
        searchLabel="Search credits"
        csv={{ label: 'Download credits CSV', fileName: 'credits.csv' }}
        noneFits="No matching entries"
      />
    </>
  );
}
