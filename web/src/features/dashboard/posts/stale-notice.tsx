import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { asOf } from './as-of.ts';
import styles from './stale-notice.module.css';

/** Says that what is shown is not the newest, and from when it is. */
export function StaleNotice({ isStale, readAt }: { isStale: boolean; readAt: string | null }) {
  const isOnline = useOnline();
  const { platform } = useServices();
  if (!isStale && isOnline) return null;
  const since = readAt === null ? '' : ` ${asOf(readAt, platform.now(), platform.timeZone())}`;
  return (
    <p className={styles['stale']} role="status">
      {isOnline
        ? `The newest numbers can not be read at the moment.${since} They go on by themselves.`
        : `You are offline. You see what was last read.${since}`}
    </p>
  );
}
