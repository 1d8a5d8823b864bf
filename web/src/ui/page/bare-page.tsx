import type { ReactNode } from 'react';
import styles from './bare-page.module.css';
import { Mark } from '../brand/mark.tsx';
import { usePageTitle } from './use-page-title.ts';
import { Wordmark } from '../brand/wordmark.tsx';
import buttons from './link-button.module.css';

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

const ERROR_TITLE = 'Unexpected Application Error!';

/** What stands in place of a page that broke, that isn't on this device, or that doesn't exist. */
export function ErrorPage({
  what,
  home,
  canReload,
  children,
}: {
  /** What happened, in one sentence. */
  what: string;
  home: string;
  /** Whether loading the page again may help; it never does at an address without a page. */
  canReload: boolean;
  /** What is safe, and what to do. */
  children: ReactNode;
}) {
  return (
    <BarePage title={ERROR_TITLE} what={what} home={home}>
      <p>{children}</p>
      <p data-ways="">
        {canReload && (
          <button type="button" className={buttons['filled']} onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
        <a href={home} className={buttons[canReload ? 'outline' : 'filled']}>
          Go to the home page
        </a>
      </p>
    </BarePage>
  );
}
