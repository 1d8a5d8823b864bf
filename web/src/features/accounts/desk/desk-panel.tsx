import { type ComponentProps, useMemo } from 'react';
import { DensityChoice } from '#web/customer/density-choice.tsx';
import { ColumnPanel } from '#web/ui/grid/column-panel.tsx';
import type { Filter } from '#web/ui/grid/filter.ts';
import { FilterPanel } from '#web/ui/grid/filter-panel.tsx';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import type { GridView } from '#web/ui/grid/grid-view.ts';
import panels from '#web/ui/grid/panels.module.css';
import { SortPanel } from '#web/ui/grid/sort-panel.tsx';
import type { TableData } from '#web/ui/grid/table-data.ts';
import type { Table } from '#web/ui/grid/use-arranged.ts';
import type { DeskRow } from './desk-columns.tsx';

interface DeskPanelProps {
  view: GridView;
  usual: GridView;
  columns: ReadonlyArray<GridColumn<DeskRow>>;
  table: Table<DeskRow>;
  /** `sort`, `columns`, or `filter:` with a column. */
  openPanel: string;
  onChange: (changes: Partial<GridView>) => void;
  onFilter: (filter: Filter) => void;
  /** The words that stand in a column. The table’s own: imported here, it would take all of the table along. */
  choicesOf: (data: TableData, key: string) => string[];
}

/** What is open of filters, order and columns. */
export function DeskPanel({
  view,
  usual,
  columns,
  openPanel,
  onChange,
  ...filter
}: DeskPanelProps) {
  const fields = useMemo(() => columns.filter(({ isAction }) => !isAction), [columns]);
  if (openPanel === 'sort') {
    return <SortPanel fields={fields} sorts={view.sorts} onSort={(sorts) => onChange({ sorts })} />;
  }
  if (openPanel === 'columns') {
    return (
      <ColumnPanel
        fields={fields}
        shown={view.columns}
        onShow={(shown) => onChange({ columns: shown })}
        onReset={() => onChange({ columns: usual.columns })}
      >
        <DensityChoice legend="Rows" className={panels['choices']} />
      </ColumnPanel>
    );
  }
  return (
    <OpenFilter
      key={openPanel}
      columns={fields}
      filters={view.filters}
      openKey={openPanel.slice('filter:'.length)}
      {...filter}
    />
  );
}

/** Only now it matters which words stand in a column: all rows are looked through for them. */
function OpenFilter({
  columns,
  table,
  choicesOf,
  ...panel
}: Pick<DeskPanelProps, 'columns' | 'table' | 'choicesOf'> &
  Omit<ComponentProps<typeof FilterPanel>, 'fields'>) {
  const fields = useMemo(
    () =>
      columns.map(({ key, label, kind }) => ({
        key,
        label,
        kind,
        choices: choicesOf(table.data, key),
      })),
    [columns, table, choicesOf],
  );
  return <FilterPanel fields={fields} {...panel} />;
}
