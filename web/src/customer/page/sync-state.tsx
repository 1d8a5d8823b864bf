import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import { useServices } from '#web/platform/services.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { usePendingChanges } from '../pending-changes/pending-changes.tsx';
import styles from './sync-state.module.css';
import { useSyncStatus } from '../use-sync-status.ts';

/** How the replica stands, in the frame of every page, seen only when it isn't as it should be; also told to the shell. */
export function SyncState() {
  const status = useSyncStatus();
  useTellShell(status);
  if (status.kind === 'starting') return null;
  return (
    <>
      <Shown status={status} />
      <span className="visually-hidden" role="status">
        {status.kind === 'live' || status.kind === 'syncing' ? '' : WORDS[status.kind]}
      </span>
    </>
  );
}

type Shown = Exclude<SyncStatus['kind'], 'starting'>;

const WORDS: Record<Shown, string> = {
  live: 'Up to date',
  syncing: 'Syncing',
  offline: 'Offline',
  log_in_again: 'Log in again',
  upgrade: 'Load new version',
};

function Shown({ status: { kind } }: { status: Extract<SyncStatus, { kind: Shown }> }) {
  const { markers, platform, paths } = useServices();
  if (kind === 'log_in_again') {
    // Forgetting the session leads to the log-in page; the replica and what waits in it stay.
    return <Action kind={kind} act={() => markers.clear()} />;
  }
  if (kind === 'upgrade') {
    return <Action kind={kind} act={() => platform.startNewer(paths.dashboard)} />;
  }
  return (
    <span
      className={kind === 'live' ? 'visually-hidden' : styles['state']}
      data-kind={kind}
      title={WORDS[kind]}
    >
      <span className="visually-hidden-on-phones">{WORDS[kind]}</span>
    </span>
  );
}

function Action({ kind, act }: { kind: Shown; act: () => void }) {
  return (
    <UnstyledButton className={styles['action']} data-kind={kind} onClick={act}>
      {WORDS[kind]}
    </UnstyledButton>
  );
}

function useTellShell({ kind }: SyncStatus): void {
  const { platform } = useServices();
  const pending = usePendingChanges().length;
  useEffect(() => {
    const sync = kind === 'starting' ? 'syncing' : kind === 'log_in_again' ? 'log_in' : kind;
    platform.showSyncState({ sync, pending });
  }, [platform, kind, pending]);
}
