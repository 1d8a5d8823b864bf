import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findAsOf } from '#web/replica/store/scope-state.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { useCustomer } from '../customer.ts';
import { useLocal } from '../use-local.ts';
import { useSyncStatus } from '../use-sync-status.ts';
import { clock, shortDate, shortTime } from '#web/ui/words/dates.ts';

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
    <p className="notice mb-4 no-print" data-tone="wait" role="status">
      {sentence}
      {since}
    </p>
  );
}

/** Until the sync has begun only the replica itself knows from when it is. */
function useReadAt(status: SyncStatus): number | undefined {
  const { db } = useCustomer();
  const isStarting = status.kind === 'starting';
  const held = useLocal(
    async () => (isStarting ? readLocal(db, findAsOf) : undefined),
    [db, isStarting],
  );
  return 'asOf' in status ? status.asOf : held;
}

/** What is this old is called so also while it is being brought up to date. */
const OLD_MS = MINUTE_MS;
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
  if (!isOnline) return 'You’re offline. This is what we last loaded.';
  switch (kind) {
    case 'live':
      return undefined;
    case 'starting':
    case 'syncing':
      return isOld ? 'Loading the latest. This is what we last loaded.' : undefined;
    case 'offline':
      return 'We can’t reach the server. This is what we last loaded. We’ll keep trying.';
    case 'log_in_again':
      return 'Your session has ended. This is what we last loaded. Log in again to continue.';
    case 'upgrade':
      return 'This version is too old. This is what we last loaded. Load the new version to continue.';
  }
}

/** When figures are from: "As of 2:02 PM." today, with the date on any other day. */
export function asOf(atMs: number, nowMs: number, timeZone: string): string {
  const isToday = shortDate(atMs, timeZone) === shortDate(nowMs, timeZone);
  return `As of ${isToday ? clock(atMs, timeZone) : shortTime(atMs, timeZone)}.`;
}
