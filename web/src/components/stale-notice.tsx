import { useEffect, useState } from 'react';
import { findLocalAsOf } from '../local-db/local-as-of.ts';
import { useServices } from '../platform/services.ts';
import { useOnline } from '../platform/use-online.ts';
import type { SyncStatus } from '../sync/sync-status.ts';
import { asOf } from './as-of.ts';
import { useCustomer } from './customer.ts';
import styles from './stale-notice.module.css';
import { useLocal } from './use-local.ts';
import { useSyncStatus } from './use-sync-status.ts';

/** Says that what is shown is not the newest, and from when it is. */
export function StaleNotice() {
  const isOnline = useOnline();
  const status = useSyncStatus();
  const { platform } = useServices();
  const readAt = useReadAt(status);
  const isOld = useIsOld(status.kind !== 'live', readAt);
  const sentence = staleSentence(status, isOnline, isOld);
  if (!sentence) return null;
  const since = readAt === undefined ? '' : ` ${asOf(readAt, platform.now(), platform.timeZone())}`;
  return (
    <p className={styles['stale']} role="status">
      {sentence}
      {since}
    </p>
  );
}

/** Until the sync has begun only the copy itself knows from when it is. */
function useReadAt(status: SyncStatus): number | undefined {
  const { db } = useCustomer();
  const isStarting = status.kind === 'starting';
  const held = useLocal(async () => (isStarting ? findLocalAsOf(db) : undefined), [db, isStarting]);
  return 'asOf' in status ? status.asOf : held;
}

/** What is this old is called so also while it is being brought up to date. */
const OLD_MS = 60_000;
/** Most starts are done by then: a sentence that comes and goes at once helps nobody. */
const PATIENCE_MS = 1000;

function useIsOld(isWaiting: boolean, readAt: number | undefined): boolean {
  const { platform } = useServices();
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    if (!isWaiting || readAt === undefined) return undefined;
    const delayMs = Math.max(PATIENCE_MS, readAt + OLD_MS - platform.now());
    const timer = setTimeout(() => setIsOld(true), delayMs);
    return () => {
      clearTimeout(timer);
      setIsOld(false);
    };
  }, [isWaiting, readAt, platform]);
  return isOld;
}

/** Undefined while what is shown is the newest, or about to be and not old yet. */
export function staleSentence(
  { kind }: SyncStatus,
  isOnline: boolean,
  isOld: boolean,
): string | undefined {
  if (!isOnline) return 'You are offline. You see what was last read.';
  switch (kind) {
    case 'live':
      return undefined;
    case 'starting':
    case 'syncing':
      return isOld ? 'The newest is on its way. You see what was last read.' : undefined;
    case 'offline':
      return 'The server can not be reached. You see what was last read; it goes on by itself.';
    case 'log_in_again':
      return 'Your session has ended. You see what was last read; log in again to go on.';
    case 'upgrade':
      return 'This version is too old to go on. You see what was last read; load the new one.';
  }
}
