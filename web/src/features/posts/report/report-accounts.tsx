import { useMemo, useState } from 'react';
import { cellText, type ReportCell, type ReportTable } from '#shared/domain/client-report.ts';
import { arrangeRows } from '#web/ui/data-table/arrange-rows.ts';
import type { Column, Sort } from '#web/ui/data-table/column.ts';
import { DataTable } from '#web/ui/data-table/data-table.tsx';

type Row = ReadonlyArray<ReportCell>;

/** The accounts of a report, to be sorted by any figure. */
export function ReportAccounts({ table }: { table: ReportTable }) {
  const [sort, setSort] = useState<Sort>({ key: 'Account', isDescending: false });
  const columns = useMemo(() => columnsOf(table), [table]);
  const rows = arrangeRows(table.rows, columns, { search: '', sort });
  return (
    <DataTable
      label={table.title}
      columns={columns}
      rows={rows}
      idOf={([name]) => String(name)}
      sort={sort}
      onSort={setSort}
    />
  );
}

function columnsOf({ columns }: ReportTable): Column<Row>[] {
  return columns.map(({ label, kind }, nth): Column<Row> => {
    const isName = nth === 0;
    return {
      key: label,
      label,
      text: (row) => cellText(kind, row[nth] ?? null),
      sortBy: (row) => row[nth] ?? null,
      isNumeric: !isName,
      width: isName ? 'minmax(8rem, 2fr)' : 'minmax(5.5rem, 1fr)',
      ...(isName && { head: 'title' as const }),
      ...(kind === 'seconds' && { from: 'tablet' as const }),
    };
  });
}
