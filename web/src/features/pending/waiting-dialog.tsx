import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { useReachable } from '#web/customer/use-reachable.ts';
import { useServices } from '#web/platform/services.ts';
import { NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { usePaused } from './paused-changes.tsx';
import { WaitingList } from './waiting-list.tsx';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { toastError } from '#web/ui/toasts/toast.ts';
import styles from './waiting-actions.module.css';

/** The changes made here that the server hasn't done, and those it refused. */
export function WaitingDialog() {
  const items = usePendingChanges();
  const isPaused = usePaused();
  const isReachable = useReachable();
  const { platform } = useServices();
  const isRefused = items.some(({ state }) => state.kind === 'failed');
  const isWaiting = items.some(({ state }) => state.kind !== 'failed');
  return (
    <DialogFrame title="Your changes">
      {items.length === 0 && <p role="status">Everything has been sent.</p>}
      {isWaiting && !isPaused && !isReachable && (
        <p className={parts['note']}>
          {platform.isOnline() ? 'We can’t reach the server.' : 'You’re offline.'} Your changes are
          saved on this device. We’ll send them as soon as we can.
        </p>
      )}
      {isRefused && (
        <p className={parts['note']}>Refused changes didn’t happen and cost no credits.</p>
      )}
      {isPaused && (
        <p>
          You made these before this device was logged out, and they were never sent. Nothing is
          sent until you say so.
        </p>
      )}
      {items.length > 0 && <WaitingList items={items} />}
      {isPaused && <PausedOffer />}
    </DialogFrame>
  );
}

const NOT_SENT = 'We couldn’t reach the server. Your changes go out as soon as we can.';

/** What the person decides about changes of before this device was signed out, all of them at once. */
function PausedOffer() {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const items = usePendingChanges();
  const [busyWith, setBusyWith] = useState<'send' | 'discard'>();

  const send = async (): Promise<void> => {
    if (!(await changes.sendAll())) toastError(NOT_SENT);
  };
  const discard = async (): Promise<void> => {
    for (const { id } of items) await changes.discard(id);
    // What was under way when the device was signed out may have happened: its answer is asked for.
    await changes.sendAll();
  };
  const begin = (kind: 'send' | 'discard', work: () => Promise<void>): void => {
    setBusyWith(kind);
    work()
      .catch((error: unknown) => {
        platform.report('Kept changes could not be decided', error);
        toastError(NOT_SAVED);
      })
      .finally(() => setBusyWith(undefined));
  };

  return (
    <div className={styles['actions']}>
      <Button
        loading={busyWith === 'send'}
        disabled={busyWith === 'discard'}
        onClick={() => begin('send', send)}
      >
        Send
      </Button>
      <Button
        variant="default"
        loading={busyWith === 'discard'}
        disabled={busyWith === 'send'}
        onClick={() => begin('discard', discard)}
      >
        Discard
      </Button>
    </div>
  );
}
