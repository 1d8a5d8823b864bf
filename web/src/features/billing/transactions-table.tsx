import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import { AtName } from '#web/components/at-name.tsx';
import type { Column } from '#web/components/data-table/column.ts';
import { SearchableTable } from '#web/components/data-table/searchable-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { shortTime } from '#web/components/dates.ts';
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
      width: 'minmax(6.75rem, 1fr)',
      text: (row) => shortTime(Date.parse(row.createdAt), timeZone),
      sortBy: (row) => Date.parse(row.createdAt),
      csv: (row) => row.createdAt,
    },
    {
      key: 'account',
      label: 'Account',
      width: 'minmax(8.5rem, 1.2fr)',
      text: (row) => (row.igUsername ? `@${row.igUsername}` : DASHES),
      render: (row) => (row.igUsername ? <AtName of={row.igUsername} /> : DASHES),
      sortBy: (row) => row.igUsername ?? null,
      csv: (row) => row.igUsername ?? '',
    },
    {
      key: 'description',
      head: 'title',
      label: 'Description',
      width: 'minmax(7.5rem, 2fr)',
      text: (row) => row.description,
      sortBy: (row) => row.description,
    },
    {
      key: 'price',
      head: 'end',
      label: 'Price',
      width: '4.5rem',
      isNumeric: true,
      text: (row) => formatCents(Math.round(row.price * 100)),
      sortBy: (row) => row.price,
      csv: (row) => row.price,
      addsUp: true,
    },
    {
      key: 'card',
      label: 'Card',
      width: 'minmax(9.25rem, 1fr)',
      isNumeric: true,
      text: (row) => row.billingInfoId?.ccNum ?? DASHES,
      csv: (row) => row.billingInfoId?.ccNum ?? '',
    },
    {
      key: 'action',
      head: 'end',
      label: 'Receipt',
      width: '6.5rem',
      csv: null,
      text: () => '',
      render: (row, control) => (
        <Button
          variant="default"
          aria-label={`Receipt for ${row.description}`}
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
  if (transactions.length === 0) {
    return (
      <EmptyState scene="payments" title="No payments yet.">
        <p>You’ll find each payment here, with a receipt to print.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <SearchableTable
        label="Transaction history"
        columns={columns}
        rows={transactions}
        opening={{ key: 'date', isDescending: true }}
        idOf={(row) => row.id}
        nameOf={(row) => row.description}
        searchLabel="Search payments"
        csv={{ label: 'Download CSV', fileName: 'payments.csv' }}
        noneFits="No matching payments"
      />
      {opened && <PaymentReceipt transaction={opened} close={() => setOpened(undefined)} />}
    </>
  );
}
