import { useServices } from '../platform/services.ts';
import { useOnline } from '../platform/use-online.ts';
import type { SyncStatus } from '../sync/sync-status.ts';
import { asOf } from './as-of.ts';
import styles from './stale-notice.module.css';
import { useSyncStatus } from './use-sync-status.ts';

/** Says that what is shown is not the newest, and from when it is. */
export function StaleNotice() {
  const isOnline = useOnline();
  const status = useSyncStatus();
  const { platform } = useServices();
  const sentence = staleSentence(status, isOnline);
  if (!sentence) return null;
  const readAt = 'asOf' in status ? status.asOf : undefined;
  const since = readAt === undefined ? '' : ` ${asOf(readAt, platform.now(), platform.timeZone())}`;
  return (
    <p className={styles['stale']} role="status">
      {sentence}
      {since}
    </p>
  );
}

/** Undefined while what is shown is the newest, or about to be. */
export function staleSentence({ kind }: SyncStatus, isOnline: boolean): string | undefined {
  if (!isOnline) return 'You are offline. You see what was last read.';
  switch (kind) {
    case 'starting':
    case 'live':
    case 'syncing':
      return undefined;
    case 'offline':
      return 'The server can not be reached. You see what was last read; it goes on by itself.';
    case 'log_in_again':
      return 'Your session has ended. You see what was last read; log in again to go on.';
    case 'upgrade':
      return 'This version is too old to go on. You see what was last read; load the new one.';
  }
}
