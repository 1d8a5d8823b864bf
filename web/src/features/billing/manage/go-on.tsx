import { dateInWords } from '#web/ui/words/dates.ts';
import { Button } from '@mantine/core';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './subscription-dialogs.module.css';
import type { CancellationProps } from './use-cancellation.ts';

/** The way back: ends a pause, or takes a stop at period end back. */
export function GoOn({ account, cancellation }: CancellationProps) {
  const { platform } = useServices();
  const timeZone = account.timeZone ?? platform.timeZone();
  const dayOf = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  const { pausesAt, resumesAt, endsAt } = account;
  const isPlanned = account.subscriptionState === 'Active' && resumesAt !== null;
  const isPaused = resumesAt !== null;
  return (
    <section className={styles['ways']}>
      <p>
        {isPlanned &&
          pausesAt &&
          `A pause is scheduled: likes stop on ${dayOf(pausesAt)}, and start again on ${dayOf(resumesAt)}. `}
        {isPaused &&
          !isPlanned &&
          `Paused until ${dayOf(resumesAt)}: no likes are sent and nothing is charged. If you resume today, the full paused days before today are added to your plan. `}
        {endsAt &&
          (isPaused
            ? `Then likes continue until ${dayOf(endsAt)}, which you’ve paid for. You won’t be charged again. If you resume early, it stops earlier by the same number of days.`
            : `Stops on ${dayOf(endsAt)}. Likes continue until then, and you won’t be charged again.`)}
      </p>
      <FormProblem sentence={cancellation.problem} />
      <div className={parts['actions']}>
        <Button
          loading={cancellation.busy === 'resume'}
          disabled={cancellation.busy !== undefined}
          onClick={cancellation.resume}
        >
          {wayBack(isPaused, isPlanned)}
        </Button>
      </div>
    </section>
  );
}

function wayBack(isPaused: boolean, isPlanned: boolean): string {
  if (isPlanned) return 'Undo the pause';
  return isPaused ? 'Resume now' : 'Undo the stop';
}
