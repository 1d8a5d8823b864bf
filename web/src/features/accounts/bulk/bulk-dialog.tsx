import { useState } from 'react';
import type { BulkOperation } from '#shared/contract/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { BulkDiff } from './bulk-diff.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { ChooseChange } from './choose-change.tsx';
import { RecentChanges } from './recent-changes.tsx';
import type { WantedChange } from './use-bulk.ts';

interface BulkDialogProps {
  /** Those to choose a change for; none: what was changed lately is shown. */
  accounts: readonly ConnectedAccount[];
  /** What they are to be changed to, where that was said already. */
  changes?: readonly WantedChange[] | undefined;
}

/** Changes many accounts: chosen, shown with its price, then made with its progress. */
export function BulkDialog({ accounts, changes }: BulkDialogProps) {
  const [wanted, setWanted] = useState(changes);
  const [operation, setOperation] = useState<BulkOperation>();
  const plan = (next: readonly WantedChange[] | undefined): void => {
    setOperation(undefined);
    setWanted(next);
  };
  return (
    <DialogFrame title="Change many accounts" size="46rem">
      {operation ? (
        <BulkProgress
          key={operation.operationId}
          first={operation}
          onRetry={plan}
          onUndo={setOperation}
        />
      ) : wanted ? (
        <BulkDiff changes={wanted} onStarted={setOperation} onBack={() => plan(undefined)} />
      ) : (
        <>
          {accounts.length > 0 && <ChooseChange accounts={accounts} onChosen={plan} />}
          <RecentChanges isAlone={accounts.length === 0} onOpen={setOperation} />
        </>
      )}
    </DialogFrame>
  );
}
