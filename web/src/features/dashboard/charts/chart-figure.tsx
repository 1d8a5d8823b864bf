import type { ReactNode } from 'react';
import styles from './chart.module.css';

export interface ChartRow {
  key: string;
  cells: readonly string[];
}

interface ChartFigureProps {
  caption: string;
  /** Heads of the columns; the first column names the row. */
  heads: readonly string[];
  rows: readonly ChartRow[];
  children: ReactNode;
}

/** A chart with its key, and the same numbers as a table for whoever can't or won't see it. */
export function ChartFigure({ caption, heads, rows, children }: ChartFigureProps) {
  return (
    <figure className={styles['figure']}>
      <figcaption>
        <span className={styles['caption']}>{caption}</span>
        <span data-tone="organic">organic</span>
        <span data-tone="purchased">delivered by us</span>
      </figcaption>
      {children}
      <details>
        <summary>The same as a table</summary>
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
                  <td key={heads[column + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
