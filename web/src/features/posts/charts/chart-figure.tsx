import { type ReactNode, useState } from 'react';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { figure } from '#web/ui/words/figures.ts';
import styles from './chart.module.css';

interface ChartRow {
  key: string;
  /** The first names the row. */
  cells: ReadonlyArray<string | number>;
}

interface ChartFigureProps {
  caption: string;
  /** The name of its numbers as a file. */
  fileName: string;
  /** Heads of the columns; the first column names the row. */
  heads: readonly string[];
  rows: readonly ChartRow[];
  /** The heads of columns that add up to something. */
  sums?: readonly string[];
  children: ReactNode;
}

/** A chart with its key, or the same numbers as a table for whoever can't or won't see it. */
export function ChartFigure({ caption, fileName, heads, rows, sums, children }: ChartFigureProps) {
  const dialogs = useDialogs();
  const [isTable, setIsTable] = useState(false);
  const save = (): void => {
    const lines = rows.map(({ cells }) => cells);
    dialogs.open({ kind: 'export', file: { fileName, heads, rows: lines, ...(sums && { sums }) } });
  };
  return (
    <figure className={styles['figure']}>
      <figcaption>
        <span className={styles['caption']}>{caption}</span>
        <span className="swatch" data-tone="organic">
          organic
        </span>
        <span className="swatch" data-tone="purchased">
          delivered by us
        </span>
      </figcaption>
      {!isTable && children}
      <div className={styles['numbers']}>
        <details
          className="text-1"
          open={isTable}
          onToggle={(event) => setIsTable(event.currentTarget.open)}
        >
          <summary className="inline-flex items-center min-h-touch c-link cursor-pointer">
            {isTable ? 'Show as chart' : 'Show as table'}
          </summary>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells: [first, ...rest] }) => (
                <tr key={key}>
                  <th scope="row">{first}</th>
                  {rest.map((cell, column) => (
                    <td key={heads[column + 1]}>
                      {typeof cell === 'number' ? figure(cell) : cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        <button type="button" className="min-h-touch text-1 c-link" onClick={save}>
          Download CSV
        </button>
      </div>
    </figure>
  );
}
