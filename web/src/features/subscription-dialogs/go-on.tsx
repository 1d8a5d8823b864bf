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
  const dayOf = (instant: string): string => dateInWords(Date.parse(instant), platform.timeZone());
  const { resumesAt, endsAt } = account;
  const isPaused = resumesAt !== null;
  return (
    <section className={styles['exits']}>
      <p>
        {isPaused && `Paused until ${dayOf(resumesAt)}: no likes are sent and nothing is charged. `}
        {endsAt &&
          (isPaused
            ? `Then likes go on until ${dayOf(endsAt)}, which is paid for, and nothing is charged again. Resumed earlier, it stops as many days earlier.`
            : `Stops on ${dayOf(endsAt)}: likes go on until then, and nothing is charged again.`)}
      </p>
      <FormProblem sentence={exit.problem} />
      <div className={parts['actions']}>
        <Button
          loading={exit.busy === 'resume'}
          disabled={exit.busy !== undefined}
          onClick={() => exit.resume(resumedSentence(isPaused, endsAt !== null))}
        >
          {isPaused ? 'Resume now' : 'Take the stop back'}
        </Button>
      </div>
    </section>
  );
}

function resumedSentence(isPaused: boolean, isEnding: boolean): string {
  if (!isPaused) return 'The plan goes on; it does not stop.';
  return isEnding
    ? 'The plan goes on now, and stops when the days paid for are over.'
    : 'The plan goes on now.';
}
