import { asOf } from '#web/components/as-of.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import styles from './stale-notice.module.css';

/** Says that what is shown is not the newest, and from when it is. */
export function StaleNotice({ isStale, readAt }: { isStale: boolean; readAt: number | undefined }) {
  const isOnline = useOnline();
  const { platform } = useServices();
  if (!isStale && isOnline) return null;
  const since = readAt === undefined ? '' : ` ${asOf(readAt, platform.now(), platform.timeZone())}`;
  return (
    <p className={styles['stale']} role="status">
      {isOnline
        ? `The newest numbers can not be read at the moment.${since} They go on by themselves.`
        : `You are offline. You see what was last read.${since}`}
    </p>
  );
}
