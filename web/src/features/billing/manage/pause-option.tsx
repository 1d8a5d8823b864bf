import { dateInWords } from '#web/ui/words/dates.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { useServices } from '#web/platform/services.ts';
import type { CancellationProps } from './use-cancellation.ts';
import { dayName, dayStart, namedDay } from '#shared/domain/money/day-use.ts';
import {
  chargeAfterPause,
  type Pause,
  PAUSE_DAY_FAULT,
  pauseBounds,
  planPause,
  suggestedEnd,
} from '#shared/domain/money/pause.ts';

/** A pause from tomorrow until a day, with the dates that the server will book. */
export function PauseOption({ account, cancellation }: CancellationProps) {
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
    `Today’s posts still get likes. Likes stop on ${name(pause.fromMs)}, and start again on ${until}. You won’t be charged until then, and your next charge moves to ${name(pause.nextChargeMs)}. Dates are in ${zoneTime(timeZone)}.`;

  const ask = (): void => {
    if (pause) cancellation.pause(new Date(pause.untilMs).toISOString());
    else setError(PAUSE_DAY_FAULT);
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
        <Button
          loading={cancellation.busy === 'pause'}
          disabled={cancellation.busy !== undefined}
          onClick={ask}
        >
          {until ? `Pause until ${until}` : 'Pause'}
        </Button>
      </div>
    </section>
  );
}

/** The first and the last day a date field takes, and the one it begins with: a pause of two weeks. */
export function pauseDays(
  nowMs: number,
  timeZone: string,
): Record<'first' | 'start' | 'last', string> {
  const { firstDay, lastDay } = pauseBounds(nowMs, timeZone);
  return {
    first: dayName(firstDay),
    start: dayName(suggestedEnd(firstDay)),
    last: dayName(lastDay),
  };
}

/** A pause until that day and the charge after it, as the server computes them; undefined: not possible. */
export function pauseUntil(
  day: string,
  nowMs: number,
  timeZone: string,
  nextBillingDate: string | null,
): (Pause & { nextChargeMs: number }) | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || nextBillingDate === null) return undefined;
  const pause = planPause(nowMs, dayStart(namedDay(day), timeZone), timeZone);
  if (!pause) return undefined;
  return {
    ...pause,
    nextChargeMs: chargeAfterPause(Date.parse(nextBillingDate), pause, timeZone),
  };
}
