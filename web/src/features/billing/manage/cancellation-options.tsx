import { dateInWords } from '#web/ui/words/dates.ts';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { useServices } from '#web/platform/services.ts';
import { MoneyBackOption } from './money-back-option.tsx';
import { PauseOption } from './pause-option.tsx';
import styles from './subscription-dialogs.module.css';
import type { Cancellation, CancellationProps } from './use-cancellation.ts';

/** Every way out in one screen, the gentlest one in front, each with its date and amount beside it (D5). */
export function CancellationOptions({
  account,
  cancellation,
  onBack,
}: {
  account: ConnectedAccount;
  cancellation: Cancellation;
  onBack: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isRunning = account.subscriptionState === 'Active' && !account.endsAt && !account.pausesAt;
  return (
    <div className={styles['ways']}>
      <h3 ref={heading} tabIndex={-1}>
        Pause or end your plan for @{account.igUsername}
      </h3>
      <FormProblem sentence={cancellation.problem} />
      {isRunning && <PauseOption account={account} cancellation={cancellation} />}
      {!account.endsAt && <StopAtPeriodEnd account={account} cancellation={cancellation} />}
      <StopNowOption cancellation={cancellation} />
      <MoneyBackOption account={account} cancellation={cancellation} />
      <Button variant="default" disabled={cancellation.busy !== undefined} onClick={onBack}>
        Back
      </Button>
    </div>
  );
}

function StopAtPeriodEnd({ account, cancellation }: CancellationProps) {
  const { platform } = useServices();
  const isPaused = account.resumesAt !== null;
  const paidUntilMs = Date.parse(account.nextBillingDate ?? '');
  const isPaid =
    (isPaused || account.subscriptionState === 'Active') && paidUntilMs > platform.now();
  const until = dateInWords(
    isPaid ? paidUntilMs : platform.now(),
    account.timeZone ?? platform.timeZone(),
  );
  const goOn = isPaused ? 'After the pause, likes continue' : 'Likes continue';
  const sentence = isPaid
    ? `${goOn} until ${until}, which you’ve paid for. Then your plan stops, and you won’t be charged again.`
    : `Your paid time is over, so likes stop today, ${until}. You won’t be charged.`;
  return (
    <section>
      <h4>Stop at the end of the period</h4>
      <p>{sentence}</p>
      <Button
        variant="default"
        loading={cancellation.busy === 'cancel'}
        disabled={cancellation.busy !== undefined}
        onClick={cancellation.cancel}
      >
        {`Stop on ${until}`}
      </Button>
    </section>
  );
}

/** The hardest way out, so it is asked for once more (D5). */
function StopNowOption({ cancellation }: { cancellation: Cancellation }) {
  const [isAsked, setIsAsked] = useState(false);
  const backTo = useSwapFocus(isAsked);
  const isBusy = cancellation.busy !== undefined;
  return (
    <section>
      <h4>Stop now</h4>
      <p>
        New posts get no likes from now on. Orders in progress finish. You won’t be charged again,
        and the remaining days aren’t refunded.
      </p>
      {isAsked ? (
        <div ref={focusFirst} className="flex flex-wrap items-end gap-3">
          <Button
            variant="default"
            loading={cancellation.busy === 'stop'}
            disabled={isBusy}
            onClick={cancellation.stop}
          >
            Yes, stop now
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => setIsAsked(false)}>
            Keep my plan
          </Button>
        </div>
      ) : (
        <Button
          ref={backTo(true)}
          variant="default"
          disabled={isBusy}
          onClick={() => setIsAsked(true)}
        >
          Stop likes today
        </Button>
      )}
    </section>
  );
}
