import { dateInWords } from '#web/ui/words/dates.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { zoneInWords } from '#shared/domain/time-zone.ts';
import { useServices } from '#web/platform/services.ts';
import { pauseDays, pauseUntil } from './pause-day.ts';
import type { Exit } from './use-exit.ts';

/** A pause from tomorrow until a day, with the dates that the server will book. */
export function PauseOption({ account, exit }: { account: ConnectedAccount; exit: Exit }) {
  const { platform } = useServices();
  const nowMs = platform.now();
  const timeZone = account.timeZone ?? platform.timeZone();
  const days = pauseDays(nowMs, timeZone);
  const [day, setDay] = useState(days.start);
  const [error, setError] = useState<string>();
  const pause = pauseUntil(day, nowMs, timeZone, account.nextBillingDate);
  const name = (ms: number): string => dateInWords(ms, timeZone);
  const until = pause && name(pause.untilMs);
  const sentence =
    pause &&
    `Today’s posts still get likes. Likes stop on ${name(pause.fromMs)}, and start again on ${until}. You won’t be charged until then, and your next charge moves to ${name(pause.nextChargeMs)}. Dates are in ${zoneInWords(timeZone)} time.`;

  const ask = (): void => {
    if (pause) exit.pause(new Date(pause.untilMs).toISOString());
    else setError('Please choose a day 2 to 181 days from today');
  };
  return (
    <section>
      <h4>Pause</h4>
      <p>
        {sentence ?? 'Choose the day likes start again.'} To stop likes right away, turn them off in
        Delivery settings.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <TextInput
          type="date"
          label="Pause until"
          name="until"
          min={days.first}
          max={days.last}
          value={day}
          onChange={(event) => {
            setDay(event.currentTarget.value);
            setError(undefined);
          }}
          error={error}
        />
        <Button loading={exit.busy === 'pause'} disabled={exit.busy !== undefined} onClick={ask}>
          {until ? `Pause until ${until}` : 'Pause'}
        </Button>
      </div>
    </section>
  );
}
