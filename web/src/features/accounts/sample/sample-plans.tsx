import { Button, Modal, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { formatCents } from '#shared/domain/money.ts';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { useServices } from '#web/platform/services.ts';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { counted, figure } from '#web/ui/words/figures.ts';
import { signed } from '../bulk/bulk-words.ts';
import table from '../bulk/bulk.module.css';
import { ChangesTable } from '../bulk/changes-table.tsx';
import { changeSample, type SampleChange } from './change-sample.ts';

type Changed = Extract<SampleChange, { kind: 'changed' }>;

interface SamplePlansProps {
  accounts: readonly ConnectedAccount[];
  onClose: () => void;
  onChanged: (changed: readonly Changed[]) => void;
}

/** Another plan for the chosen accounts of the sample: first what changes and what it would cost. */
export function SamplePlans({ accounts, onClose, onChanged }: SamplePlansProps) {
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const [plan, setPlan] = useState(4);
  const all = accounts.map((account) => changeSample(account, plan, nowMs));
  const changed = all.filter((each) => each.kind === 'changed');
  const refused = all.filter((each) => each.kind === 'refused');
  const same = all.length - changed.length - refused.length;
  const [today, month] = [sum(changed, 'todayCents'), sum(changed, 'monthCents')];
  return (
    <Modal.Root opened onClose={onClose} size="40rem">
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title="Change plans of the sample" />
        <Modal.Body>
          <div className="grid grid-cols-1 gap-4 min-w-0">
            <NativeSelect
              label={`New plan for ${counted(accounts.length, 'account')}`}
              data={PLAN_OPTIONS}
              value={String(plan)}
              data-autofocus
              onChange={(event) => setPlan(Number(event.currentTarget.value))}
            />
            {refused.length > 0 && (
              <section className="notice" data-tone="bad" aria-label="Not possible">
                <ul className={table['reasons']}>
                  {refused.map(({ account, reason }) => (
                    <li key={account.igUsername}>{reason}</li>
                  ))}
                </ul>
              </section>
            )}
            {changed.length > 0 && (
              <ChangesTable
                items={changed.map(({ account, todayCents, monthCents }, position) => ({
                  position,
                  igUsername: account.igUsername,
                  change: { kind: 'plan', packageIndex: plan },
                  today: todayCents / 100,
                  month: monthCents / 100,
                }))}
                accountOf={(name) => accounts.find(({ igUsername }) => igUsername === name)}
                isMoney
              />
            )}
            {same > 0 && (
              <p className={parts['note']}>
                {same === 1
                  ? '1 account is already as you want it.'
                  : `${figure(same)} accounts are already as you want them.`}
              </p>
            )}
            <p>
              <strong>
                {changed.length === 0
                  ? 'There is nothing to change.'
                  : `With real accounts, ${formatCents(today)} would be charged today. In this sample nothing is.`}
              </strong>
            </p>
            <div className={parts['actions']}>
              {changed.length > 0 && (
                <Button onClick={() => onChanged(changed)}>
                  Change {counted(changed.length, 'plan')}
                  {month !== 0 && `, ${signed(month / 100)} a month`}
                </Button>
              )}
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
            </div>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const sum = (changed: readonly Changed[], key: 'todayCents' | 'monthCents'): number =>
  changed.reduce((total, each) => total + each[key], 0);
