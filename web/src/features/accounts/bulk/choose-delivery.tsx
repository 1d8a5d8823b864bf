import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { DeliveryChange } from '#shared/domain/delivery/delivery-change.ts';
import { DELIVERY_SPEEDS } from '#shared/domain/delivery/delivery-speed.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { counted } from '#web/ui/words/figures.ts';
import { type DeliveryErrors, openingDelivery, readDelivery } from '../dialogs/delivery-form.ts';
import type { WantedChange } from './use-bulk.ts';

const SAME = 'Leave as it is';
const ON = 'On';
const OFF = 'Off';
const RANGE = 'On, within this range';

/** Which delivery settings all of the chosen accounts get; the others stay each account's own. */
export function ChooseDelivery({
  accounts,
  onChosen,
}: {
  accounts: readonly ConnectedAccount[];
  onChosen: (changes: readonly WantedChange[]) => void;
}) {
  const [automatic, setAutomatic] = useState(SAME);
  const [speed, setSpeed] = useState(SAME);
  const [irregular, setIrregular] = useState(SAME);
  const [ends, setEnds] = useState(() =>
    openingDelivery({ automaticLikes: true, speed: 'Instant', range: null }),
  );
  const [errors, setErrors] = useState<DeliveryErrors>({});
  const isNothing = [automatic, speed, irregular].every((choice) => choice === SAME);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const read = readDelivery({ ...ends, isIrregular: irregular === RANGE });
    if ('errors' in read) {
      setErrors(read.errors);
      return void focusFirstError(event.currentTarget, read.errors);
    }
    const named = DELIVERY_SPEEDS.find((one) => one === speed);
    const settings: DeliveryChange = {
      ...(automatic !== SAME && { automaticLikes: automatic === ON }),
      ...(named && { speed: named }),
      ...(irregular !== SAME && { range: read.settings.range }),
    };
    const change = { kind: 'delivery', settings } as const;
    return onChosen(accounts.map(({ igUsername }) => ({ igUsername, change })));
  };
  return (
    <form className={parts['form']} noValidate onSubmit={submit} aria-label="Delivery settings">
      <p>For {counted(accounts.length, 'account')}. Changes apply from the next post.</p>
      <NativeSelect
        label="Automatic Likes"
        data={[SAME, ON, OFF]}
        value={automatic}
        data-autofocus
        onChange={(event) => setAutomatic(event.currentTarget.value)}
      />
      <NativeSelect
        label="Delivery speed"
        data={[SAME, ...DELIVERY_SPEEDS]}
        value={speed}
        onChange={(event) => setSpeed(event.currentTarget.value)}
      />
      <NativeSelect
        label="Irregular likes"
        description="A random amount for each post, within a range"
        data={[SAME, RANGE, OFF]}
        value={irregular}
        onChange={(event) => {
          setIrregular(event.currentTarget.value);
          setErrors({});
        }}
      />
      {irregular === RANGE &&
        (['min', 'max'] as const).map((end) => (
          <TextInput
            key={end}
            label={end === 'min' ? 'Minimum likes' : 'Maximum likes'}
            name={end}
            inputMode="numeric"
            value={ends[end]}
            error={errors[end]}
            onChange={(event) => {
              setEnds({ ...ends, [end]: event.currentTarget.value.trim() });
              setErrors({});
            }}
          />
        ))}
      <div className={parts['actions']}>
        <Button type="submit" disabled={isNothing}>
          Check the changes
        </Button>
      </div>
    </form>
  );
}
