import { Button, TextInput } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { choicesOf } from '#web/ui/grid/build-table.ts';
import { FilterChips } from '#web/ui/grid/filter-chips.tsx';
import { withFilter, withoutFilter } from '#web/ui/grid/filter-words.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import type { GridView } from '#web/ui/grid/grid-view.ts';
import type { Table } from '#web/ui/grid/use-arranged.ts';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { figure } from '#web/ui/words/figures.ts';
import type { DeskRow } from './desk-columns.tsx';
import styles from './desk.module.css';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import { FILE_HEADS, fileId } from '../csv/file-columns.ts';

/** Opened by a press: the table stands without it. */
const DeskPanel = lazy(async () => ({
  default: (await import('./desk-panel.tsx')).DeskPanel,
}));

interface DeskToolsProps {
  view: GridView;
  usual: GridView;
  /** All, and those shown in their order. */
  columns: ReadonlyArray<GridColumn<DeskRow>>;
  shown: ReadonlyArray<GridColumn<DeskRow>>;
  table: Table<DeskRow>;
  /** What a file would hold. */
  rows: () => DeskRow[];
  chosen: number;
  /** False while accounts or their posts are still read: a file would have a part of them. */
  isWhole: boolean;
  /** `sort`, `columns`, or `filter:` with a column; undefined: none is open. */
  openPanel: string | undefined;
  onPanel: (panel: string | undefined) => void;
  onChange: (changes: Partial<GridView>) => void;
  fileName: string;
  /** Further buttons, and what there is. */
  more?: ReactNode;
}

const PANELS = [
  ['filter:', 'Filter'],
  ['sort', 'Sort'],
  ['columns', 'Columns'],
] as const;

/** Search, filters, order and columns; what is open of them stands below. */
export function DeskTools(props: DeskToolsProps) {
  const { view, columns, openPanel, onPanel, onChange } = props;
  const dialogs = useDialogs();
  const labelOf = (key: string): string =>
    columns.find((column) => column.key === key)?.label ?? key;
  const { filters } = view;
  return (
    <>
      <div className={styles['tools']} role="search" aria-label="Search accounts">
        <TextInput
          className={styles['search'] ?? ''}
          label="Search accounts"
          type="search"
          value={view.search}
          onChange={(event) => onChange({ search: event.currentTarget.value })}
        />
        {PANELS.map(([panel, label]) => {
          const isOpen = openPanel?.startsWith(panel) ?? false;
          return (
            <Button
              key={panel}
              variant="default"
              aria-expanded={isOpen}
              onClick={() => onPanel(isOpen ? undefined : panel)}
            >
              {label}
            </Button>
          );
        })}
        <Button
          variant="default"
          leftSection={<DownloadIcon />}
          loading={!props.isWhole}
          title={props.isWhole ? undefined : 'Accounts and posts are still loading.'}
          onClick={() =>
            dialogs.open({
              kind: 'export',
              file: { fileName: props.fileName, ...deskFile(props.rows(), props.shown) },
            })
          }
        >
          {props.chosen === 0 ? 'Download CSV' : `Download CSV of ${figure(props.chosen)}`}
        </Button>
        {props.more}
      </div>
      <FilterChips
        filters={filters}
        labelOf={labelOf}
        onEdit={(key) => onPanel(`filter:${key}`)}
        onRemove={(key) => onChange({ filters: withoutFilter(filters, key) })}
        onClear={() => onChange({ filters: [] })}
      />
      {openPanel !== undefined && (
        <Suspense>
          <DeskPanel
            {...props}
            openPanel={openPanel}
            choicesOf={choicesOf}
            onFilter={(filter) => {
              onPanel(undefined);
              onChange({ filters: withFilter(filters, filter) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The rows as a spreadsheet has them: what they are known by, then the columns that are shown, in their order. */
function deskFile(
  rows: readonly DeskRow[],
  columns: ReadonlyArray<GridColumn<DeskRow>>,
): Omit<ExportFile, 'fileName'> {
  const written = columns.filter(({ csv }) => csv !== null);
  return {
    heads: [FILE_HEADS.id, ...written.map(({ label }) => label)],
    rows: rows.map((row) => [
      fileId(row.account.igId),
      ...written.map(({ csv, text }) => (csv ?? text)(row)),
    ]),
    sums: written.filter(({ sum }) => sum).map(({ label }) => label),
  };
}
