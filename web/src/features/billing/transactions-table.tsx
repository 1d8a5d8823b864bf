import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import type { Column } from '#web/components/data-table/column.ts';
import { DataTable } from '#web/components/data-table/data-table.tsx';
import { TableToolbar } from '#web/components/data-table/table-toolbar.tsx';
import { useTableView } from '#web/components/data-table/use-table-view.ts';
import { shortTime } from '#web/components/short-date.ts';
import { useServices } from '#web/platform/services.ts';
import { PaymentReceipt } from './payment-receipt.tsx';

/** What stands for an account when a payment is about none (S§3). */
const DASHES = '---';

function transactionColumns(
  timeZone: string,
  open: (transaction: CreditsTransaction) => void,
): Column<CreditsTransaction>[] {
  return [
    {
      key: 'date',
      label: 'Date',
      width: '10rem',
      text: (row) => shortTime(Date.parse(row.createdAt), timeZone),
      sortBy: (row) => Date.parse(row.createdAt),
      csv: (row) => row.createdAt,
    },
    {
      key: 'account',
      label: 'Account',
      width: 'minmax(7rem, 1fr)',
      text: (row) => (row.igUsername ? `@${row.igUsername}` : DASHES),
      sortBy: (row) => row.igUsername ?? null,
      csv: (row) => row.igUsername ?? '',
    },
    {
      key: 'description',
      label: 'Description',
      width: 'minmax(9rem, 2fr)',
      text: (row) => row.description,
      sortBy: (row) => row.description,
    },
    {
      key: 'price',
      label: 'Price',
      width: '6rem',
      isNumeric: true,
      text: (row) => formatCents(Math.round(row.price * 100)),
      sortBy: (row) => row.price,
      csv: (row) => row.price,
    },
    {
      key: 'card',
      label: 'Card',
      width: 'minmax(6rem, 1fr)',
      isNumeric: true,
      text: (row) => row.billingInfoId?.ccNum ?? DASHES,
      csv: (row) => row.billingInfoId?.ccNum ?? '',
    },
    {
      key: 'action',
      label: 'Receipt',
      width: '6.5rem',
      csv: null,
      text: () => '',
      render: (row, control) => (
        <Button
          variant="default"
          aria-label={`Receipt of ${row.description}`}
          {...control}
          onClick={() => open(row)}
        >
          Receipt
        </Button>
      ),
    },
  ];
}

export function TransactionsTable({ transactions }: { transactions: CreditsTransaction[] }) {
  const timeZone = useServices().platform.timeZone();
  const [opened, setOpened] = useState<CreditsTransaction>();
  const columns = useMemo(() => transactionColumns(timeZone, setOpened), [timeZone]);
  const view = useTableView(transactions, columns, { key: 'date', isDescending: true });
  if (transactions.length === 0) return <p>No payment was made yet.</p>;
  return (
    <>
      <TableToolbar
        view={view}
        columns={columns}
        searchLabel="Search payments"
        csv={{ rows: view.shown, label: 'Download CSV', fileName: 'payments.csv' }}
      />
      {view.shown.length === 0 && <p role="status">No payment fits.</p>}
      <DataTable
        label="Transaction history"
        columns={columns}
        rows={view.shown}
        idOf={(row) => row.id}
        nameOf={(row) => row.description}
        sort={view.sort}
        onSort={view.setSort}
      />
      {opened && <PaymentReceipt transaction={opened} close={() => setOpened(undefined)} />}
    </>
  );
}
