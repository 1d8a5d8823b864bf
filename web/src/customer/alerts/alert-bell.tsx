import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import { BellIcon } from '#web/ui/icons.tsx';
import { useHasProposals, useWaitingProposals } from '../proposals/use-proposals.ts';
import styles from './alert-bell.module.css';
import { useAlerts } from './alerts.tsx';

/** More than that are as many. */
const COUNT_LIMIT = 99;

/** Few people work with others. */
const AskProposals = lazy(async () => {
  const { AskProposals: default_ } = await import('../proposals/ask-proposals.ts');
  return { default: default_ };
});

/** In the top bar of every page: leads to the alerts, and says how many are new and what waits for approval. */
export function AlertBell() {
  const { paths } = useServices();
  const hasProposals = useHasProposals();
  const { length: fresh } = useAlerts()?.unread ?? [];
  const { length: waiting } = useWaitingProposals();
  const count = fresh + waiting;
  const words = [
    'Alerts',
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(waiting > 0 ? [`${waiting} to approve`] : []),
  ].join(', ');
  return (
    <>
      <Link className={styles['bell']} to={paths.alerts} aria-label={words} title={words}>
        <BellIcon />
        {count > 0 && (
          <span className={styles['count']} aria-hidden="true">
            {count > COUNT_LIMIT ? `${COUNT_LIMIT}+` : count}
          </span>
        )}
      </Link>
      {hasProposals && (
        <Suspense>
          <AskProposals />
        </Suspense>
      )}
    </>
  );
}
