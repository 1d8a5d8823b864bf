import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import parts from '#web/components/dialog-parts.module.css';
import { FormProblem } from '#web/components/form-problem.tsx';
import { dateInWords } from '#web/components/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './subscription-dialogs.module.css';
import type { Exit } from './use-exit.ts';

/** The way back: ends a pause, or takes a stop at period end back. */
export function GoOn({ account, exit }: { account: ConnectedAccount; exit: Exit }) {
  const { platform } = useServices();
  const date = dateInWords(
    Date.parse(account.resumesAt ?? account.endsAt ?? ''),
    platform.timeZone(),
  );
  const isPaused = account.resumesAt !== null;
  return (
    <section className={styles['exits']}>
      <p>
        {isPaused
          ? `Paused until ${date}: no likes are sent and nothing is charged.`
          : `Stops on ${date}: likes go on until then, and nothing is charged again.`}
      </p>
      <FormProblem sentence={exit.problem} />
      <div className={parts['actions']}>
        <Button
          loading={exit.busy === 'resume'}
          disabled={exit.busy !== undefined}
          onClick={() =>
            exit.resume(isPaused ? 'The plan goes on now.' : 'The plan goes on; it does not stop.')
          }
        >
          {isPaused ? 'Resume now' : 'Take the stop back'}
        </Button>
      </div>
    </section>
  );
}
