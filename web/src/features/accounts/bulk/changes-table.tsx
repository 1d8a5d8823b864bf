import preview from '#web/ui/dialog/preview-table.module.css';
import styles from './bulk.module.css';
import { type ChangedCell, wasNothing } from './changed-cell.ts';

/** What changes of an account, with what stands in the further columns. */
interface ChangedRow {
  position: number;
  igUsername: string;
  cell: ChangedCell;
  more: readonly string[];
}

interface ChangesTableProps {
  label: string;
  /** Heads of the cells before and after. */
  heads: readonly [before: string, after: string];
  more: ReadonlyArray<{ label: string; isMoney: boolean }>;
  rows: readonly ChangedRow[];
}

/** Accounts with what of them changes, before and after, and what it costs. */
export function ChangesTable({ label, heads: [before, after], more, rows }: ChangesTableProps) {
  const money = (nth: number) => (more[nth]?.isMoney ? { className: styles['money'] } : {});
  return (
    <section
      className={`${preview['table']} ${styles['table']}`}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- longer than the dialog: scrolled by keys too
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
            {more.map((column, nth) => (
              <th key={column.label} scope="col" {...money(nth)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ position, igUsername, cell, more: cells }) => (
            <tr key={position}>
              <th scope="row">@{igUsername}</th>
              <td data-label={cell.before && before}>
                {wasNothing(cell) ? cell.before : <del>{cell.before}</del>}
              </td>
              <td data-label={after}>
                <ins>{cell.after}</ins>
              </td>
              {more.map((column, nth) => (
                <td key={column.label} data-label={column.label} {...money(nth)}>
                  {cells[nth]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
