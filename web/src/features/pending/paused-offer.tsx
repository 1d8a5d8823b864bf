import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './waiting-actions.module.css';

const NOT_SENT = 'We couldn’t reach the server. Your changes go out as soon as we can.';
const NOT_KEPT = 'This device couldn’t save that. Please try again.';

/** What the person decides about changes of before this device was signed out, all of them at once. */
export function PausedOffer() {
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
        toastError(NOT_KEPT);
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
