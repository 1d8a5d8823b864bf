import { UnstyledButton } from '@mantine/core';
import { useDialogs } from '../dialogs/dialogs.ts';
import { usePendingChanges } from './pending-changes.tsx';
import styles from './waiting-button.module.css';
import { waitingCountInWords } from './waiting-words.ts';

/** In the top bar while something waits or was refused: opens the list of it. */
export function WaitingButton() {
  const items = usePendingChanges();
  const dialogs = useDialogs();
  const isRefused = items.some(({ state }) => state.kind === 'failed');
  const words = waitingCountInWords(items);
  return (
    <>
      {items.length > 0 && (
        <UnstyledButton
          className={styles['button']}
          data-tone={isRefused ? 'bad' : 'wait'}
          onClick={() => dialogs.open({ kind: 'waiting_actions' })}
        >
          <span className={styles['count']}>{items.length}</span>
          <span className="visually-hidden-on-phones">{words}</span>
          <span className="visually-hidden">: show changes</span>
        </UnstyledButton>
      )}
      <span className="visually-hidden" role="status">
        {items.length > 0 && `Changes: ${words}`}
      </span>
    </>
  );
}
