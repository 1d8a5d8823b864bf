import { Wordmark } from './wordmark.tsx';
import { usePageTitle } from './use-page-title.ts';
import styles from './error-page.module.css';

export const ERROR_TITLE = 'Unexpected Application Error!';

/** What stands in place of a page that broke, or that doesn't exist. */
export function ErrorPage({
  sentence,
  home,
  canReload,
}: {
  sentence: string;
  home: string;
  /** Whether loading the page again may help; it never does at an address without a page. */
  canReload: boolean;
}) {
  usePageTitle(ERROR_TITLE);
  return (
    <div className={styles['page']} data-makes-room="whole">
      <header>
        <Wordmark to={home} />
      </header>
      <main className={styles['main']}>
        <h1>{ERROR_TITLE}</h1>
        <p>{sentence}</p>
        <p className={styles['ways']}>
          {canReload && (
            <button type="button" className={styles['primary']} onClick={() => location.reload()}>
              Reload the page
            </button>
          )}
          <a href={home} className={canReload ? undefined : styles['primary']}>
            Go to the home page
          </a>
        </p>
      </main>
    </div>
  );
}
