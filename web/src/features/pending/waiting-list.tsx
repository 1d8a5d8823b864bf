import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { waitingSentence } from '#web/customer/pending-changes/waiting-words.ts';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { useServices } from '#web/platform/services.ts';
import { NOT_SAVED } from '#web/ui/words/not-saved.ts';
import styles from './waiting-actions.module.css';
import { shortTime } from '#web/ui/words/dates.ts';

const ON_ITS_WAY = 'This change is already on its way, so you can’t discard it.';

/** What waits and what was refused, each with its reason and what can be done about it. */
export function WaitingList({ items }: { items: readonly OutboxItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <ul ref={list} className="grid border-t" aria-label="Changes" tabIndex={-1}>
      {items.map((item) => (
        <WaitingItem key={item.id} item={item} onGone={() => list.current?.focus()} />
      ))}
    </ul>
  );
}

function WaitingItem({ item, onGone }: { item: OutboxItem; onGone: () => void }) {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const isReachable = useReachable();
  const [isBusy, setIsBusy] = useState(false);
  const isRefused = item.state.kind === 'failed';
  const isOnItsWay = item.state.kind === 'sending';

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      platform.report('The list of changes could not be changed', error);
      toastError(NOT_SAVED);
    }
    setIsBusy(false);
  };
  const retry = async (): Promise<void> => {
    const outcome = await changes.retry(item.id);
    if (outcome.kind === 'refused') return toastError(outcome.message);
    if (outcome.kind === 'done') toastSuccess(`Done: ${item.title}`);
    onGone();
  };
  const discard = async (): Promise<void> => {
    if (!(await changes.discard(item.id))) toastError(ON_ITS_WAY);
    onGone();
  };

  return (
    <li className={styles['item']} data-tone={isRefused ? 'bad' : 'wait'}>
      <div className={styles['facts']}>
        <p className="wrap-anywhere font-600" dir="auto">
          {item.title}
        </p>
        <p className={styles['state']}>
          {isRefused && <strong>Refused: </strong>}
          {waitingSentence(item, isReachable)}
        </p>
        <p className={parts['note']}>Made {shortTime(item.madeAt, platform.timeZone())}</p>
      </div>
      <div className={styles['tools']}>
        {isRefused && (
          <Button
            variant="default"
            loading={isBusy}
            aria-label={`Retry: ${item.title}`}
            onClick={() => void attempt(retry)}
          >
            Retry
          </Button>
        )}
        {!isOnItsWay && (
          <Button
            variant="default"
            disabled={isBusy}
            aria-label={`Discard: ${item.title}`}
            onClick={() => void attempt(discard)}
          >
            Discard
          </Button>
        )}
      </div>
    </li>
  );
}
