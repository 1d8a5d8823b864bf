import { type ReactElement, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Customer } from '../customer.ts';
import { useServices } from '#web/platform/services.ts';
import { type EndOfSession, endOnServer, tearDown } from './end-of-session.ts';

/** Stands in place of the pages, so that nothing reads the replica while it is wiped. */
export function SignOut({ end, customer }: { end: EndOfSession; customer: Customer }) {
  const services = useServices();
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<ReactElement | null>(null);
  useEffect(() => {
    const { markers, paths, platform } = services;
    const { userId } = customer;
    const report = (error: unknown): void =>
      platform.report('The replica could not be wiped', error);
    const tryAgain = (): void => {
      setShown(null);
      setAttempt(attempt + 1);
    };
    const leave = async (): Promise<void> => {
      // Asked for while the server is there; nothing waits for it that could do without it.
      const loading = import('./log-out-unanswered.tsx').catch(() => undefined);
      if (attempt === 0) await tearDown(services, end, customer).catch(report);
      if (end === 'logged_out' && !(await endOnServer(services))) {
        const unanswered = await loading;
        if (unanswered) {
          const { LogOutUnanswered } = unanswered;
          return setShown(<LogOutUnanswered home={paths.landing} tryAgain={tryAgain} />);
        }
      }
      markers.clear(userId);
      // Somebody else may have logged in in another tab: this one begins anew, with nothing in memory.
      const isTaken = markers.userId() !== undefined;
      if (end === 'logged_out' || isTaken) platform.restartAt(paths.login);
      else if (end === 'session_ended') {
        await navigate(paths.loginFor(location.pathname + location.search), { replace: true });
      } else await navigate(paths.login, { replace: true });
    };
    leave().catch((error: unknown) => {
      report(error);
      markers.clear(userId);
      platform.restartAt(paths.login);
    });
  }, [services, end, customer, navigate, attempt]);
  return shown;
}
