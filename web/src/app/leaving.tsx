import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Customer } from '../components/customer.ts';
import styles from '../components/error-page.module.css';
import { usePageTitle } from '../components/use-page-title.ts';
import { Wordmark } from '../components/wordmark.tsx';
import { useServices } from '../platform/services.ts';
import { type EndOfSession, endOnServer, tidyUp } from './end-of-session.ts';

const UNANSWERED =
  'Everything of yours is removed from this device, but no answer came back, so you may still be logged in.';

/** Stands in place of the pages, so that nothing reads the local copy while it is wiped. */
export function Leaving({ end, customer }: { end: EndOfSession; customer: Customer }) {
  const services = useServices();
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState(0);
  const [isUnanswered, setIsUnanswered] = useState(false);
  useEffect(() => {
    const { hints, paths, platform } = services;
    const { userId } = customer;
    const leave = async (): Promise<void> => {
      if (attempt === 0) await tidyUp(services, end, customer).catch(reportUnwiped);
      if (end === 'logged_out' && !(await endOnServer(services))) return setIsUnanswered(true);
      hints.clearOf(userId);
      // Somebody else may have logged in in another tab: this one begins anew, with nothing in memory.
      const isTaken = hints.userId() !== undefined;
      if (end === 'logged_out' || isTaken) platform.restartAt(paths.login);
      else await navigate(paths.login, { replace: true });
    };
    const reportUnwiped = (error: unknown): void =>
      platform.report('The local copy could not be wiped', error);
    leave().catch((error: unknown) => {
      platform.report('The pages could not be left', error);
      hints.clearOf(userId);
      platform.restartAt(paths.login);
    });
  }, [services, end, customer, navigate, attempt]);
  if (!isUnanswered) return null;
  const tryAgain = (): void => {
    setIsUnanswered(false);
    setAttempt((before) => before + 1);
  };
  return <Unanswered home={services.paths.landing} tryAgain={tryAgain} />;
}

const TITLE = 'Log out';

function Unanswered({ home, tryAgain }: { home: string; tryAgain: () => void }) {
  usePageTitle(TITLE);
  return (
    <div className={styles['page']}>
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
