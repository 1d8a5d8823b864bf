import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogs } from '../dialogs/dialogs.ts';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { exportedRows } from '#web/ui/data-table/arrange-rows.ts';
import type { Column } from '#web/ui/data-table/column.ts';
import styles from './table-toolbar.module.css';
import type { TableView } from '#web/ui/data-table/use-table-view.ts';

/** What stands over a table: search, further filters, the order on a phone, and the spreadsheet. */
export function TableToolbar<Row>({
  view,
  columns,
  searchLabel,
  csv,
  children,
}: {
  view: TableView<Row>;
  columns: ReadonlyArray<Column<Row>>;
  searchLabel: string;
  /** The rows to write and how to name what they are. */
  csv: { rows: readonly Row[]; label: string; fileName: string };
  children?: ReactNode;
}) {
  const dialogs = useDialogs();
  const sortable = columns.filter((column) => column.sortBy);
  const orders = sortable.flatMap(({ key, label }) => [
    { value: `${key} up`, label: `${label} ↑` },
    { value: `${key} down`, label: `${label} ↓` },
  ]);
  return (
    <div className={styles['toolbar']} role="search" aria-label={searchLabel}>
      <TextInput
        className={styles['search'] ?? ''}
        label={searchLabel}
        type="search"
        value={view.search}
        onChange={(event) => view.setSearch(event.currentTarget.value)}
      />
      {children}
      <NativeSelect
        className={styles['order'] ?? ''}
        label="Sort by"
        data={orders}
        value={`${view.sort.key} ${view.sort.isDescending ? 'down' : 'up'}`}
        onChange={(event) => {
          const [key = '', direction] = event.currentTarget.value.split(' ');
          view.setSort({ key, isDescending: direction === 'down' });
        }}
      />
      <Button
        variant="default"
        leftSection={<DownloadIcon />}
        disabled={csv.rows.length === 0}
        onClick={() =>
          dialogs.open({
            kind: 'export',
            file: { fileName: csv.fileName, ...exportedRows(csv.rows, columns) },
          })
        }
      >
        {csv.label}
      </Button>
    </div>
  );
}
