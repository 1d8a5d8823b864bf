import { Link } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import { BellIcon } from '#web/ui/icons.tsx';
import styles from './alert-bell.module.css';
import { useAlerts } from './use-alerts.ts';

/** More than that are as many. */
const COUNT_LIMIT = 99;

/** In the top bar of every page: leads to the alerts, and says how many are new. */
export function AlertBell() {
  const { paths } = useServices();
  const { length } = useAlerts()?.unread ?? [];
  const words = length === 0 ? 'Alerts' : `Alerts, ${length} new`;
  return (
    <Link className={styles['bell']} to={paths.alerts} aria-label={words} title={words}>
      <BellIcon />
      {length > 0 && (
        <span className={styles['count']} aria-hidden="true">
          {length > COUNT_LIMIT ? `${COUNT_LIMIT}+` : length}
        </span>
      )}
    </Link>
  );
}
