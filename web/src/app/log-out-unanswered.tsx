import styles from '../components/error-page.module.css';
import { usePageTitle } from '../components/use-page-title.ts';
import { Wordmark } from '../components/wordmark.tsx';

const TITLE = 'Log out';
const UNANSWERED =
  'Your data is gone from this device, but we couldn’t reach the server, so you may still be logged in.';

/** The device is empty, and whether the session ended nobody said. */
export function LogOutUnanswered({ home, tryAgain }: { home: string; tryAgain: () => void }) {
  usePageTitle(TITLE);
  return (
    <div className={styles['page']} data-makes-room="whole">
      <header>
        <Wordmark to={home} />
      </header>
      <main className={styles['main']}>
        <h1>{TITLE}</h1>
        <p role="alert">{UNANSWERED}</p>
        <p className={styles['ways']}>
          <button type="button" className={styles['primary']} onClick={tryAgain}>
            Try again
          </button>
        </p>
      </main>
    </div>
  );
}
