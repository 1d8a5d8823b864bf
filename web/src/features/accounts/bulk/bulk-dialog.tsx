import { useState } from 'react';
import type { BulkOperation, Proposal } from '#shared/contract/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { BulkDiff } from './bulk-diff.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { ChooseChange } from './choose-change.tsx';
import { ChooseDelivery } from './choose-delivery.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { ShownProposal } from './shown-proposal.tsx';
import type { BulkSource, WantedChange } from './use-bulk.ts';

interface BulkDialogProps {
  /** Those to choose a change for; none: what was changed lately is shown. */
  accounts: readonly ConnectedAccount[];
  /** What they are to be changed to, where that was said already. */
  changes?: readonly WantedChange[] | undefined;
  /** Delivery settings are to be chosen, else what is done with plans. */
  isDelivery?: boolean | undefined;
  /** What somebody has proposed. */
  proposal?: Proposal | undefined;
}

/** Changes many accounts: chosen, shown with its price, then made with its progress. */
export function BulkDialog({ accounts, changes, isDelivery, proposal: opened }: BulkDialogProps) {
  const Choose = isDelivery ? ChooseDelivery : ChooseChange;
  const [source, setSource] = useState<BulkSource | undefined>(
    changes ? { kind: 'changes', changes } : opened && { kind: 'review', proposal: opened },
  );
  const [operation, setOperation] = useState<BulkOperation>();
  const [proposal, setProposal] = useState<Proposal>();
  const plan = (next: BulkSource | undefined): void => {
    setOperation(undefined);
    setProposal(undefined);
    setSource(next);
  };
  const planChanges = (next: readonly WantedChange[]): void =>
    plan({ kind: 'changes', changes: next });
  const openProposal = (next: Proposal): void =>
    next.state === 'proposed' && !next.isOwn
      ? plan({ kind: 'review', proposal: next })
      : setProposal(next);
  return (
    <DialogFrame title="Change many accounts" size="46rem">
      {operation ? (
        <BulkProgress
          key={operation.operationId}
          first={operation}
          onRetry={planChanges}
          onUndo={setOperation}
        />
      ) : proposal ? (
        <ShownProposal proposal={proposal} onClosed={setProposal} />
      ) : source ? (
        <BulkDiff
          source={source}
          onStarted={setOperation}
          onProposed={setProposal}
          onBack={() => plan(undefined)}
        />
      ) : (
        <>
          {accounts.length > 0 && <Choose accounts={accounts} onChosen={planChanges} />}
          <RecentChanges
            isAlone={accounts.length === 0}
            onOpen={setOperation}
            onProposal={openProposal}
          />
        </>
      )}
    </DialogFrame>
  );
}
