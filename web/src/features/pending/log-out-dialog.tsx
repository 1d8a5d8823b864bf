import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { MAYBE_LOGGED_IN } from '#web/customer/session/use-log-out.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { listPendingChanges } from '#web/replica/outbox/outbox.ts';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import styles from './waiting-actions.module.css';
import { WaitingList } from './waiting-list.tsx';

const NOT_SENT =
  'We couldn’t reach the server. You’re still logged in, and your changes are still here.';
const OFFLINE = 'We can’t reach the server, so nothing can be sent right now.';
const REFUSED = 'The changes listed here were refused. The rest was sent. You’re still logged in.';
const ON_ITS_WAY = 'What’s already being sent can’t be undone. It may still go through, once.';

/** Logging out wipes the replica, so what only it holds is offered first (D2). */
export function LogOutDialog() {
  const { db, changes, logOut } = useCustomer();
  const { platform } = useServices();
  const dialogs = useDialogs();
  const items = usePendingChanges();
  const isReachable = useReachable();
  const newest = useNewest();
  const [problem, setProblem] = useState<string>();
  const [busyWith, setBusyWith] = useState<'send' | 'discard'>();
  const isAnyUnsent = items.some(({ state }) => state.kind !== 'failed');
  const canBeSent = isAnyUnsent && isReachable;

  const leave = async (isWanted: () => boolean): Promise<void> => {
    if (isWanted() && !(await logOut(isWanted))) setProblem(MAYBE_LOGGED_IN);
  };
  const sendAndLeave = async (isWanted: () => boolean): Promise<void> => {
    if (!(await changes.sendAll())) return setProblem(NOT_SENT);
    const left = await listPendingChanges(db);
    if (left.length > 0) return setProblem(REFUSED);
    return leave(isWanted);
  };
  /** Whoever closes the dialog meanwhile stays logged in. */
  const begin = (kind: 'send' | 'discard', work: typeof leave): void => {
    setProblem(undefined);
    setBusyWith(kind);
    work(newest())
      .catch((error: unknown) => {
        platform.report('The log-out was left', error);
        setProblem(MAYBE_LOGGED_IN);
      })
      .finally(() => setBusyWith(undefined));
  };

  return (
    <DialogFrame title="Log out?">
      <p>Logging out removes your data from this device, including what hasn’t been sent yet:</p>
      <WaitingList items={items} />
      {mayStillHappen(items, isReachable) && <p>{ON_ITS_WAY}</p>}
      {isAnyUnsent && !isReachable && <p>{OFFLINE}</p>}
      <FormProblem sentence={problem} />
      <div className={styles['actions']}>
        {canBeSent && (
          <Button
            loading={busyWith === 'send'}
            disabled={busyWith === 'discard'}
            onClick={() => begin('send', sendAndLeave)}
          >
            Send now and log out
          </Button>
        )}
        <Button
          variant="default"
          loading={busyWith === 'discard'}
          disabled={busyWith === 'send'}
          onClick={() => begin('discard', leave)}
        >
          {items.length > 0 ? 'Discard and log out' : 'Log out'}
        </Button>
        <Button variant="default" disabled={busyWith !== undefined} onClick={dialogs.close}>
          Stay logged in
        </Button>
      </div>
    </DialogFrame>
  );
}

/** Whether a change may reach the server although its person gives it up now. */
export function mayStillHappen(items: readonly OutboxItem[], isReachable: boolean): boolean {
  return items.some(
    ({ state }) => state.kind === 'sending' || (state.kind === 'queued' && isReachable),
  );
}
