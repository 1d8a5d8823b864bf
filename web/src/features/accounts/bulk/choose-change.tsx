import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AskedChange } from '#shared/contract/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { dayName, dayStart, namedDay } from '#shared/domain/day-use.ts';
import { pauseBounds } from '#shared/domain/pause.ts';
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
  const { firstDay, lastDay } = pauseBounds(platform.now(), zone);
  const [choice, setChoice] = useState<Choice>('plan');
  const [plan, setPlan] = useState(1);
  const [day, setDay] = useState(dayName(firstDay + 13));
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day);
  const changeOf = ({ timeZone }: ConnectedAccount): AskedChange => {
    if (choice === 'plan') return { kind: 'plan', packageIndex: plan, timeZone: zone };
    if (choice !== 'pause') return { kind: choice };
    const until = new Date(dayStart(namedDay(day), timeZone ?? zone)).toISOString();
    return { kind: 'pause', until };
  };
  const choose = (): void =>
    onChosen(
      accounts.map((account) => ({ igUsername: account.igUsername, change: changeOf(account) })),
    );
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
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      )}
      <p className={parts['note']}>
        You see what changes and what it costs before anything happens.
      </p>
      <div className={parts['actions']}>
        <Button disabled={choice === 'pause' && !isDay} onClick={choose}>
          Check the changes
        </Button>
      </div>
    </div>
  );
}
