import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { usePageCommand } from '#web/customer/commands/page-commands.ts';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { undoable } from '#web/customer/pending-changes/waiting-words.ts';
import { useServices } from '#web/platform/services.ts';
import { NOT_SAVED } from '#web/ui/words/not-saved.ts';
import styles from './undo-bar.module.css';

const TOO_LATE = 'It’s already being sent, so it can’t be undone.';

/** While orders can be undone: what will be sent, how soon, and the way to undo it, on every page. */
export function UndoBar() {
  const items = usePendingChanges();
  const { changes } = useCustomer();
  const { platform } = useServices();
  const waiting = undoable(items, platform.now());
  const seconds = useSecondsUntil(waiting?.untilMs);

  const takeBack = async (ids: readonly string[]): Promise<void> => {
    try {
      if (await changes.undo(ids)) toastSuccess('Undone. Nothing was sent.');
      else toastError(TOO_LATE);
    } catch (error) {
      platform.report('Orders could not be undone', error);
      toastError(NOT_SAVED);
    }
  };
  const undoThem = waiting && (() => void takeBack(waiting.ids));
  usePageCommand('undo', undoThem);
  return (
    <div className={styles['place']}>
      <div className={waiting && styles['bar']} role="status">
        {waiting && (
          <>
            <p>
              {waiting.words}
              <span aria-hidden="true">, sent in {seconds} s</span>
              <span className="visually-hidden">, sent in a few seconds</span>
            </p>
            <Button variant="default" onClick={undoThem}>
              Undo
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** Whole seconds until an instant, drawn anew with each; and once more when it has come. */
function useSecondsUntil(untilMs: number | undefined): number {
  const { platform } = useServices();
  const [, draw] = useState(0);
  const leftMs = untilMs === undefined ? 0 : Math.max(0, untilMs - platform.now());
  useEffect(() => {
    if (untilMs === undefined) return undefined;
    const timer = setInterval(() => draw((times) => times + 1), 250);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.ceil(leftMs / 1000);
}
