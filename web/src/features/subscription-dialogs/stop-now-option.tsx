import { Button } from '@mantine/core';
import { useState } from 'react';
import styles from './subscription-dialogs.module.css';
import type { Exit } from './use-exit.ts';

/** The hardest way out, so it is asked for once more (D5). */
export function StopNowOption({ exit }: { exit: Exit }) {
  const [isAsked, setIsAsked] = useState(false);
  const isBusy = exit.busy !== undefined;
  return (
    <section>
      <h4>Stop now</h4>
      <p>
        New posts get no likes from now on. Orders in progress finish. You won’t be charged again,
        and the remaining days aren’t refunded.
      </p>
      {isAsked ? (
        <div className={styles['pause']}>
          <Button
            variant="default"
            loading={exit.busy === 'stop'}
            disabled={isBusy}
            onClick={exit.stop}
          >
            Yes, stop now
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => setIsAsked(false)}>
            Keep my plan
          </Button>
        </div>
      ) : (
        <Button variant="default" disabled={isBusy} onClick={() => setIsAsked(true)}>
          Stop likes today
        </Button>
      )}
    </section>
  );
}
