import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { BulkItem } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { changeTags, type TagChange } from '#shared/domain/accounts/account-tags.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { Changes } from './bulk-diff.tsx';
import { buttonWords, sameWords } from './bulk-words.ts';

interface TagDiffProps {
  accounts: readonly ConnectedAccount[];
  change: TagChange;
  /** With those whose tags change. */
  onSave: (igUsernames: readonly string[]) => Promise<void>;
  onBack: () => void;
}

/** Which tags change, as this device knows them: for where no server can be asked. */
export function TagDiff({ accounts, change, onSave, onBack }: TagDiffProps) {
  const { platform } = useServices();
  const isReachable = useReachable();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const items = useMemo(() => itemsOf(accounts, change), [accounts, change]);
  const planned = items.filter(({ outcome }) => outcome === 'planned');
  const same = items.filter(({ outcome }) => outcome === 'same');
  const plan = { items, planned: planned.length, today: 0, month: 0, needsApproval: false };
  const save = (): void => {
    setIsBusy(true);
    onSave(planned.map(({ igUsername }) => igUsername))
      .catch((error: unknown) => {
        platform.report('Tags could not be changed', error);
        setProblem(CHANGE_NOT_SAVED);
      })
      .finally(() => setIsBusy(false));
  };
  return (
    <>
      {planned.length > 0 && <Changes items={planned} />}
      {same.length > 0 && <p className={parts['note']}>{sameWords(same)}</p>}
      {planned.length === 0 && (
        <p>
          <strong>There is nothing to change.</strong>
        </p>
      )}
      {planned.length > 0 && !isReachable && (
        <p className={parts['note']}>
          You’re offline. Tags change on this device now, and we send them when you’re back online.
        </p>
      )}
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        {planned.length > 0 && (
          <Button loading={isBusy} data-autofocus onClick={save}>
            {buttonWords(plan, { kind: 'changes' })}
          </Button>
        )}
        <Button variant="default" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
}

function itemsOf(accounts: readonly ConnectedAccount[], { add, remove }: TagChange): BulkItem[] {
  const change = { kind: 'tags' as const, add: [...add], remove: [...remove] };
  return accounts.map(({ igUsername, tags }, position) => {
    const isSame = changeTags(tags, change).join('\n') === tags.join('\n');
    const outcome = isSame ? 'same' : 'planned';
    return { position, igUsername, change, outcome, reason: null, today: 0, month: 0 };
  });
}
