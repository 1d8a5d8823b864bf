import type { ReactNode } from 'react';
import styles from './page-parts.module.css';

/** A part of a long page: the id of its section, and what stands in the list. */
export type PagePart = readonly [id: string, title: string];

/** A long page with a list of its parts, beside it where there is room and in one line above it elsewhere. */
export function PageParts({
  parts,
  children,
}: {
  parts: readonly PagePart[];
  children: ReactNode;
}) {
  return (
    <div className={styles['page']}>
      <nav className={styles['list']} aria-label="On this page">
        <ul>
          {parts.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles['parts']}>{children}</div>
    </div>
  );
}
