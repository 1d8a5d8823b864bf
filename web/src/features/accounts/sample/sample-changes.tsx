import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { counted } from '#web/ui/words/figures.ts';
import { Changes, Refused } from '../bulk/bulk-diff.tsx';
import { buttonWords, sameWords } from '../bulk/bulk-words.ts';
import { ChooseDelivery } from '../bulk/choose-delivery.tsx';
import { TagForm } from '../dialogs/tag-form.tsx';
import { changeSample, type SampleChange, type SampleItem } from './change-sample.ts';

const TITLES = {
  tags: 'Change tags of the sample',
  delivery: 'Delivery settings of the sample',
  plan: 'Change plans of the sample',
};

interface SampleChangesProps {
  about: SampleChange['kind'];
  accounts: readonly ConnectedAccount[];
  /** The whole sample. */
  all: readonly ConnectedAccount[];
  onClose: () => void;
  onChanged: (items: readonly SampleItem[]) => void;
}

/** Changes the chosen accounts of the sample: first what changes and what it would cost. */
export function SampleChanges({ about, accounts, all, onClose, onChanged }: SampleChangesProps) {
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const [change, setChange] = useState<SampleChange | undefined>(
    about === 'plan' ? { kind: 'plan', packageIndex: 4 } : undefined,
  );
  return (
    <DialogFrame title={TITLES[about]} size="40rem" onClose={onClose}>
      {about === 'tags' && !change && (
        <TagForm
          accounts={accounts}
          all={all}
          onChosen={({ add, remove }) => {
            const tags = { kind: 'tags' as const, add: [...add], remove: [...remove] };
            if (accounts.length > 1) setChange(tags);
            else onChanged(changeSample(accounts, tags, nowMs));
          }}
        />
      )}
      {about === 'delivery' && !change && (
        <ChooseDelivery
          accounts={accounts}
          onChosen={([first]) => first?.change.kind === 'delivery' && setChange(first.change)}
        />
      )}
      {change?.kind === 'plan' && (
        <NativeSelect
          label={`New plan for ${counted(accounts.length, 'account')}`}
          data={PLAN_OPTIONS}
          value={String(change.packageIndex)}
          data-autofocus
          onChange={({ currentTarget: { value } }) =>
            setChange({ kind: 'plan', packageIndex: Number(value) })
          }
        />
      )}
      {change && (
        <SampleDiff
          items={changeSample(accounts, change, nowMs)}
          accounts={accounts}
          onChanged={onChanged}
          onCancel={about === 'plan' ? onClose : () => setChange(undefined)}
        />
      )}
    </DialogFrame>
  );
}

function SampleDiff({
  items,
  accounts,
  onChanged,
  onCancel,
}: {
  items: readonly SampleItem[];
  accounts: readonly ConnectedAccount[];
  onChanged: (items: readonly SampleItem[]) => void;
  onCancel: () => void;
}) {
  const planned = items.filter(({ outcome }) => outcome === 'planned');
  const same = items.filter(({ outcome }) => outcome === 'same');
  const [today, month] = [sum(planned, 'today'), sum(planned, 'month')];
  const plan = { items, planned: planned.length, today, month, needsApproval: false };
  return (
    <>
      <Refused items={items.filter(({ outcome }) => outcome === 'refused')} />
      {planned.length > 0 && <Changes items={planned} accounts={accounts} />}
      {same.length > 0 && <p className={parts['note']}>{sameWords(same)}</p>}
      <p>
        <strong>
          {planned.length === 0
            ? 'There is nothing to change.'
            : `With real accounts, ${dollarsInWords(today)} would be charged today. In this sample nothing is.`}
        </strong>
      </p>
      <div className={parts['actions']}>
        {planned.length > 0 && (
          <Button onClick={() => onChanged(planned)}>
            {buttonWords(plan, { kind: 'changes' })}
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}

/** In whole cents. */
const sum = (items: readonly SampleItem[], key: 'today' | 'month'): number =>
  items.reduce((cents, item) => cents + Math.round(item[key] * 100), 0) / 100;
