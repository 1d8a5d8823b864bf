import { EmptyState } from '#web/ui/page/empty-state.tsx';
import type { Column, Sort } from '#web/ui/data-table/column.ts';
import { DataTable, type DataTableProps } from '#web/ui/data-table/data-table.tsx';
import { TableToolbar } from './table-toolbar.tsx';
import { useTableView } from '#web/ui/data-table/use-table-view.ts';

interface SearchableTableProps<Row> extends Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'rows' | 'idOf'
> {
  columns: ReadonlyArray<Column<Row>>;
  /** How the rows stand when it opens. */
  opening: Sort;
  searchLabel: string;
  csv: { label: string; fileName: string };
  /** Said when a search leaves no row. */
  noneFits: string;
}

/** A table with its search and its spreadsheet, for rows that need no further filters. */
export function SearchableTable<Row>({
  opening,
  searchLabel,
  csv,
  noneFits,
  ...table
}: SearchableTableProps<Row>) {
  const view = useTableView(table.rows, table.columns, opening);
  return (
    <>
      <TableToolbar
        view={view}
        columns={table.columns}
        searchLabel={searchLabel}
        csv={{ rows: view.shown, ...csv }}
      />
      {view.shown.length === 0 ? (
        <EmptyState scene="results" role="status" title={noneFits} />
      ) : (
        <DataTable {...table} rows={view.shown} sort={view.sort} onSort={view.setSort} />
      )}
    </>
  );
}
