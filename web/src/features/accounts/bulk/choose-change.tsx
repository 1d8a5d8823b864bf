import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { dayName, type DayNumber, dayStart, namedDay } from '#shared/domain/money/day-use.ts';
import { PAUSE_DAY_FAULT, pauseBounds, suggestedEnd } from '#shared/domain/money/pause.ts';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { counted } from '#web/ui/words/figures.ts';
import type { WantedChange } from './use-bulk.ts';

type Choice = 'plan' | 'pause' | 'resume' | 'cancel';

const CHOICES: ReadonlyArray<{ value: Choice; label: string }> = [
  { value: 'plan', label: 'Start or change the plan' },
  { value: 'pause', label: 'Pause until a day' },
  { value: 'resume', label: 'Resume, or keep plans that are set to stop' },
  { value: 'cancel', label: 'Stop at the end of the period' },
];

/** What to do with all of the chosen accounts. */
export function ChooseChange({
  accounts,
  onChosen,
}: {
  accounts: readonly ConnectedAccount[];
  onChosen: (changes: readonly WantedChange[]) => void;
}) {
  const { platform } = useServices();
  const zone = platform.timeZone();
  const zones = new Set(accounts.map(({ timeZone }) => timeZone ?? zone));
  const { firstDay, lastDay } = boundsOfAll(zones, platform.now());
  const [choice, setChoice] = useState<Choice>('plan');
  const [plan, setPlan] = useState(1);
  const [day, setDay] = useState(dayName(suggestedEnd(firstDay)));
  const [error, setError] = useState<string>();
  const isAllowed = (): boolean => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
    return namedDay(day) >= firstDay && namedDay(day) <= lastDay;
  };
  const changeOf = ({ timeZone }: ConnectedAccount): AskedChange => {
    if (choice === 'plan') return { kind: 'plan', packageIndex: plan, timeZone: zone };
    if (choice !== 'pause') return { kind: choice };
    const until = new Date(dayStart(namedDay(day), timeZone ?? zone)).toISOString();
    return { kind: 'pause', until };
  };
  const choose = (): void => {
    if (choice === 'pause' && !isAllowed()) return setError(PAUSE_DAY_FAULT);
    return onChosen(
      accounts.map((account) => ({ igUsername: account.igUsername, change: changeOf(account) })),
    );
  };
  return (
    <div className={parts['form']}>
      <NativeSelect
        label={`For ${counted(accounts.length, 'account')}`}
        data={CHOICES}
        value={choice}
        data-autofocus
        onChange={({ currentTarget: { value } }) =>
          setChoice(CHOICES.find((each) => each.value === value)?.value ?? 'plan')
        }
      />
      {choice === 'plan' && (
        <NativeSelect
          label="New plan"
          data={PLAN_OPTIONS}
          value={String(plan)}
          onChange={(event) => setPlan(Number(event.currentTarget.value))}
        />
      )}
      {choice === 'pause' && (
        <TextInput
          type="date"
          label="Pause until"
          min={dayName(firstDay)}
          max={dayName(lastDay)}
          value={day}
          error={error}
          onChange={(event) => {
            setDay(event.currentTarget.value);
            setError(undefined);
          }}
        />
      )}
      <p className={parts['note']}>
        You see what changes and what it costs before anything happens.
      </p>
      <div className={parts['actions']}>
        <Button onClick={choose}>Check the changes</Button>
      </div>
    </div>
  );
}

/** The days that a pause of any of them may end on: today isn't the same day in every zone. */
function boundsOfAll(
  zones: ReadonlySet<string>,
  nowMs: number,
): { firstDay: DayNumber; lastDay: DayNumber } {
  const all = [...zones].map((zone) => pauseBounds(nowMs, zone));
  return {
    firstDay: Math.max(...all.map(({ firstDay }) => firstDay)),
    lastDay: Math.min(...all.map(({ lastDay }) => lastDay)),
  };
}
