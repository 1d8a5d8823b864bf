import { Button } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { CreditsTransaction } from '#shared/contract/people/user.ts';
import type { BillingDocument } from '#shared/contract/money/documents.ts';
import { AtName } from '#web/customer/at-name.tsx';
import type { Column } from '#web/ui/data-table/column.ts';
import { useSyncStatus } from '#web/customer/use-sync-status.ts';
import { SearchableTable } from '#web/customer/tables/searchable-table.tsx';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { shortTime } from '#web/ui/words/dates.ts';
import type { Download } from './use-documents.ts';
import { useServices } from '#web/platform/services.ts';

const PaymentReceipt = lazy(async () => {
  const { PaymentReceipt: Receipt } = await import('./payment-receipt.tsx');
  return { default: Receipt };
});

/** What stands for an account when a payment is about none (S§3). */
const DASHES = '---';

interface InvoiceColumn extends Download {
  invoiceOf: (transaction: CreditsTransaction) => BillingDocument | undefined;
}

function invoiceColumn({ invoiceOf, busy, download }: InvoiceColumn): Column<CreditsTransaction> {
  const numberOf = (row: CreditsTransaction): string => invoiceOf(row)?.number ?? DASHES;
  return {
    key: 'invoice',
    label: 'Invoice',
    width: '7.25rem',
    // Narrower, it is in the receipt.
    from: 'wide',
    text: numberOf,
    csv: numberOf,
    render: (row, control) => {
      const invoice = invoiceOf(row);
      if (!invoice) return DASHES;
      return (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={busy === invoice.id}
          aria-label={`Download invoice ${invoice.number}`}
          {...control}
          onClick={() => download(invoice.id)}
        >
          {invoice.number}
        </Button>
      );
    },
  };
}

function transactionColumns(
  timeZone: string,
  open: (transaction: CreditsTransaction) => void,
  invoice: InvoiceColumn | undefined,
): Column<CreditsTransaction>[] {
  return [
    {
      key: 'date',
      label: 'Date',
      width: 'minmax(6.75rem, 1.6fr)',
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
      width: 'minmax(7.5rem, 1.8fr)',
      text: (row) => row.description,
      sortBy: (row) => row.description,
    },
    {
      key: 'price',
      head: 'end',
      label: 'Price',
      width: '4.5rem',
      isNumeric: true,
      text: (row) => dollarsInWords(row.price),
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
    ...(invoice ? [invoiceColumn(invoice)] : []),
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

const NONE: readonly BillingDocument[] = [];

export function TransactionsTable({
  transactions,
  documents,
  downloads,
}: {
  transactions: CreditsTransaction[];
  /** Undefined until they are read; null: they can’t be had now. */
  documents: readonly BillingDocument[] | null | undefined;
  downloads: Download;
}) {
  const timeZone = useServices().platform.timeZone();
  const { kind: sync } = useSyncStatus();
  const [opened, setOpened] = useState<CreditsTransaction>();
  const invoiceOf = useMemo(() => {
    const invoices = new Map(
      (documents ?? NONE)
        .filter(({ kind }) => kind === 'invoice')
        .map((invoice) => [invoice.transactionId, invoice]),
    );
    return ({ id }: CreditsTransaction) => invoices.get(id);
  }, [documents]);
  const columns = useMemo(() => {
    const invoice = documents === null ? undefined : { invoiceOf, ...downloads };
    return transactionColumns(timeZone, setOpened, invoice);
  }, [timeZone, documents, invoiceOf, downloads]);
  if (transactions.length === 0) {
    // Somebody who has just paid must not read that they haven't.
    if (sync === 'starting' || sync === 'syncing') return <p role="status">Loading payments…</p>;
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
        searchLabel="Search payments"
        csv={{ label: 'Download CSV', fileName: 'payments.csv' }}
        noneFits="No matching payments"
      />
      {opened && (
        <Suspense>
          <PaymentReceipt
            transaction={opened}
            invoice={invoiceOf(opened)}
            {...downloads}
            close={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
