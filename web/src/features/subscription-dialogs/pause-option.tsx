import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { dateInWords } from '#web/components/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import { dayAfter, pauseEnd } from './pause-day.ts';
import styles from './subscription-dialogs.module.css';
import type { Exit } from './use-exit.ts';

const LONGEST_PAUSE_DAYS = 180;
const FIRST_PAUSE_DAYS = 14;

/** A pause until a day: nothing is sent or charged, and the next charge moves by as many days. */
export function PauseOption({ account, exit }: { account: ConnectedAccount; exit: Exit }) {
  const { platform } = useServices();
  const [nowMs, timeZone] = [platform.now(), platform.timeZone()];
  const [day, setDay] = useState(() => dayAfter(nowMs, timeZone, FIRST_PAUSE_DAYS));
  const [error, setError] = useState<string>();
  const end = pauseEnd(day, nowMs, timeZone, account.nextBillingDate);
  const until = end && dateInWords(end.untilMs, timeZone);
  const moved = end && dateInWords(end.nextChargeMs, timeZone);
  const sentence = `Until ${until} no likes are sent and $0.00 is charged. The next charge moves to ${moved}.`;

  const pause = (): void => {
    if (!end) setError(`Please choose a day within the next ${LONGEST_PAUSE_DAYS} days`);
    else exit.pause(new Date(end.untilMs).toISOString(), sentence);
  };
  return (
    <section>
      <h4>Pause</h4>
      <p>{end ? sentence : 'Choose the day on which likes begin again.'}</p>
      <div className={styles['pause']}>
        <TextInput
          type="date"
          label="Pause until"
          name="until"
          min={dayAfter(nowMs, timeZone, 1)}
          max={dayAfter(nowMs, timeZone, LONGEST_PAUSE_DAYS)}
          value={day}
          onChange={(event) => {
            setDay(event.currentTarget.value);
            setError(undefined);
          }}
          error={error}
        />
        <Button
          variant="default"
          loading={exit.busy === 'pause'}
          disabled={exit.busy !== undefined}
          onClick={pause}
        >
          {until ? `Pause until ${until}` : 'Pause'}
        </Button>
      </div>
    </section>
  );
}
