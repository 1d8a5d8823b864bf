import type { ReactNode } from 'react';
import styles from './bare-page.module.css';
import { Mark } from '../brand/mark.tsx';
import { usePageTitle } from './use-page-title.ts';
import { Wordmark } from '../brand/wordmark.tsx';

/** A page that needs nothing but itself: what happened, what to do, and the empty hall beside it. */
export function BarePage({
  title,
  what,
  home,
  children,
}: {
  title: string;
  /** What happened, in one sentence. */
  what: string;
  home: string;
  /** What to do, in paragraphs; the buttons stand in one with `data-ways`. */
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className={styles['page']} data-makes-room="whole">
      <header>
        <Wordmark to={home} />
      </header>
      <main className={styles['main']}>
        <div className={styles['words']}>
          <h1>{title}</h1>
          <p role="alert">{what}</p>
          {children}
        </div>
        <div className={styles['hall']}>
          <Mark size={384} />
        </div>
      </main>
    </div>
  );
}
