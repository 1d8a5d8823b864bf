import { useDeferredValue, useMemo, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { usePinned } from '#web/customer/keep-offline.tsx';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';
import { TableBuilder } from '#web/ui/grid/build-table.ts';
import { wantedBy } from '#web/ui/grid/filter.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import type { GridView } from '#web/ui/grid/grid-view.ts';
import { type Arranged, type Table, useArranged } from '#web/ui/grid/use-arranged.ts';
import type { DeskRow } from './desk-columns.tsx';
import { DeskRows } from './desk-rows.ts';

interface DeskTableOptions {
  accounts: readonly ConnectedAccount[];
  figures: ReadonlyMap<string, AccountFigures> | undefined;
  columns: ReadonlyArray<GridColumn<DeskRow>>;
  view: GridView;
}

/** All accounts by column, and those that fit the view, in its order. */
export function useDeskTable({ accounts, figures, columns, view }: DeskTableOptions): {
  table: Table<DeskRow>;
  arranged: Arranged<DeskRow> | undefined;
} {
  const kept = usePinned();
  const [deskRows] = useState(() => new DeskRows());
  // Typing stays quick while thousands of rows change.
  const shown = useDeferredValue(accounts);
  const rows = useMemo(() => deskRows.list(shown, figures, kept), [deskRows, shown, figures, kept]);
  const builder = useMemo(() => new TableBuilder(columns), [columns]);
  const table = useMemo(() => builder.build(rows), [builder, rows]);
  const search = useDeferredValue(view.search);
  const { filters, sorts } = view;
  const wanted = useMemo(
    () => ({
      search,
      sorts,
      filters: filters.map((filter) => wantedBy(filter, dayMs)),
    }),
    [search, filters, sorts],
  );
  return { table, arranged: useArranged(table, wanted) };
}

/** Dates are the days that are shown, each as its midnight in UTC. */
const dayMs = (day: string, days: number): number => Date.parse(day) + days * DAY_MS;
