import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { closeProposal, type Proposal } from '#shared/contract/bulk.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useAskProposals } from '#web/customer/proposals/ask-proposals.ts';
import { useProposals } from '#web/customer/proposals/use-proposals.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { proposalWords, timeWords } from './bulk-words.ts';

const MAYBE_DECIDED =
  'We couldn’t reach the server, so we don’t know if this was decided. “Recent changes” shows it.';

/** What somebody has proposed and waits, or what became of it. */
export function ShownProposal({
  proposal: opened,
  onClosed,
  onRecent,
}: {
  proposal: Proposal;
  onClosed: (proposal: Proposal) => void;
  /** What was made of it, and charged, is among the recent changes. */
  onRecent: () => void;
}) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const zone = platform.timeZone();
  const proposal = useDecision(opened);
  return (
    <>
      <p role="status">{proposalWords(proposal, zone)}</p>
      {proposal.state === 'proposed' && (
        <p className={parts['note']}>
          Nothing is changed or charged until someone approves it. Without an answer it ends on{' '}
          {timeWords(proposal.until, zone)}.
        </p>
      )}
      <div className={parts['actions']}>
        <Button onClick={dialogs.close}>Done</Button>
        {proposal.state === 'proposed' && (
          <CloseProposal proposal={proposal} onClosed={onClosed}>
            Withdraw
          </CloseProposal>
        )}
        {proposal.state === 'approved' && (
          <Button variant="default" onClick={onRecent}>
            See recent changes
          </Button>
        )}
      </div>
    </>
  );
}

const ASK_EVERY_MS = 3000;

/** A proposal as it is now, asked for every few seconds while nobody has decided about it. */
function useDecision(opened: Proposal): Proposal {
  const { platform } = useServices();
  const ask = useAskProposals();
  const kept = useProposals().find(({ operationId }) => operationId === opened.operationId);
  const proposal = opened.state === 'proposed' && kept ? kept : opened;
  const isWaiting = proposal.state === 'proposed';
  useEffect(() => {
    if (!isWaiting) return undefined;
    const asking = setInterval(() => {
      ask().catch((error: unknown) => platform.report('Proposals could not be kept', error));
    }, ASK_EVERY_MS);
    return () => clearInterval(asking);
  }, [ask, isWaiting, platform]);
  return proposal;
}

/** Withdraws one's own proposal, or refuses another one's. */
export function CloseProposal({
  proposal: { operationId },
  onClosed,
  children,
}: {
  proposal: Proposal;
  onClosed: (proposal: Proposal) => void;
  children: string;
}) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const refresh = useAskProposals();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const close = async (): Promise<void> => {
    setIsBusy(true);
    const answer = await api.call(closeProposal, { userId, operationId });
    setIsBusy(false);
    if (answer.kind !== 'success') setProblem(problemOf(answer, MAYBE_DECIDED));
    // Where somebody else was faster, whatever shows it says so.
    await refresh();
    if (answer.kind === 'success') onClosed(answer.data);
  };
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void close()}>
        {children}
      </Button>
      <FormProblem sentence={problem} />
    </>
  );
}
