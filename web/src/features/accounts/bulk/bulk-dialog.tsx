import { Activity, useState } from 'react';
import type { BulkOperation, Proposal } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useClientState, useServices } from '#web/platform/services.ts';
import { TagForm } from '../dialogs/tag-form.tsx';
import { BulkDiff } from './bulk-diff.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { proposedWords } from './bulk-words.ts';
import { ChooseChange } from './choose-change.tsx';
import { ChooseClient } from './choose-client.tsx';
import { ChooseDelivery } from './choose-delivery.tsx';
import { PasteNames } from './paste-names.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { ShownProposal } from './shown-proposal.tsx';
import type { BulkSource, WantedChange } from './use-bulk.ts';

const CHOICES = {
  plans: ChooseChange,
  delivery: ChooseDelivery,
  client: ChooseClient,
  tags: ChooseTags,
};

/** As what opens it is called. */
const TITLES = {
  plans: 'Change plans',
  delivery: 'Delivery settings',
  client: 'Change client',
  tags: 'Change tags',
  names: 'Add several accounts',
  file: 'Check changes',
  proposal: 'Proposed changes',
  recent: 'Recent changes',
};

interface BulkDialogProps {
  /** Those to choose a change for; none: what was changed lately is shown. */
  accounts: readonly ConnectedAccount[];
  /** What they are to be changed to, where that was said already. */
  changes?: readonly WantedChange[] | undefined;
  /** What is to be chosen for them; `names` are pasted. */
  about?: keyof typeof CHOICES | 'names' | undefined;
  /** What somebody has proposed. */
  proposal?: Proposal | undefined;
}

/** Changes many accounts: chosen, shown with its price, then made with its progress. */
export function BulkDialog({
  accounts,
  changes,
  about = 'plans',
  proposal: opened,
}: BulkDialogProps) {
  const { platform } = useServices();
  const [pasted, setPasted] = useState('');
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
  const isRecent = accounts.length === 0 && about !== 'names';
  const opens = changes ? 'file' : opened ? 'proposal' : isRecent ? 'recent' : about;
  const isChoosing = !operation && !proposal && !source;
  return (
    <DialogFrame title={TITLES[opens]} size="46rem">
      {about !== 'names' && accounts.length > 0 && (
        // Kept while its changes are shown: “Back” finds what was chosen.
        <Activity mode={isChoosing ? 'visible' : 'hidden'}>
          <Chosen about={about} accounts={accounts} onChosen={planChanges} />
        </Activity>
      )}
      {operation ? (
        <BulkProgress
          key={operation.operationId}
          first={operation}
          onRetry={planChanges}
          onUndo={setOperation}
        />
      ) : proposal ? (
        <ShownProposal
          proposal={proposal}
          onClosed={setProposal}
          onRecent={() => plan(undefined)}
        />
      ) : source ? (
        <>
          {source.kind === 'review' && <p>{proposedWords(source.proposal, platform.timeZone())}</p>}
          <BulkDiff
            source={source}
            onStarted={setOperation}
            onProposed={setProposal}
            onBack={() => plan(undefined)}
          />
        </>
      ) : (
        <>
          {about === 'names' && (
            <PasteNames
              text={pasted}
              onText={setPasted}
              onNames={(names) =>
                plan({ kind: 'changes', changes: names.names.map(added), pasted: names })
              }
            />
          )}
          <RecentChanges isAlone={isRecent} onOpen={setOperation} onProposal={openProposal} />
        </>
      )}
    </DialogFrame>
  );
}

const added = (igUsername: string): WantedChange => ({ igUsername, change: { kind: 'add' } });

interface ChoiceProps {
  accounts: readonly ConnectedAccount[];
  onChosen: (changes: readonly WantedChange[]) => void;
}

function Chosen({ about, ...props }: ChoiceProps & { about: keyof typeof CHOICES }) {
  const Choose = CHOICES[about];
  return <Choose {...props} />;
}

/** Which tags all of the chosen accounts are given, and which are taken from them. */
function ChooseTags({ accounts, onChosen }: ChoiceProps) {
  const all = useClientState((state) => state.connectedAccounts);
  return (
    <TagForm
      accounts={accounts}
      all={all}
      onChosen={({ add, remove }) => {
        const change = { kind: 'tags' as const, add: [...add], remove: [...remove] };
        onChosen(accounts.map(({ igUsername }) => ({ igUsername, change })));
      }}
    />
  );
}
