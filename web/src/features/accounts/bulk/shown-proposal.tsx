import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { closeProposal, type Proposal } from '#shared/contract/accounts/bulk.ts';
import { PROPOSAL } from '#shared/domain/accounts/bulk.ts';
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
        {proposal.state === 'proposed' && <Withdraw proposal={proposal} onClosed={onClosed} />}
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
  const ask = useAskProposals();
  const kept = useProposals().find(({ operationId }) => operationId === opened.operationId);
  const proposal = opened.state === 'proposed' && kept ? kept : opened;
  const isWaiting = proposal.state === 'proposed';
  useEffect(() => {
    if (!isWaiting) return undefined;
    const asking = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => clearInterval(asking);
  }, [ask, isWaiting]);
  return proposal;
}

interface CloseProps {
  proposal: Proposal;
  onClosed: (proposal: Proposal) => void;
}

function Withdraw(props: CloseProps) {
  const { close, isBusy, problem } = useClose(props);
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void close('')}>
        Withdraw
      </Button>
      <FormProblem sentence={problem} />
    </>
  );
}

/** Refuses what somebody else has proposed, and says why to who wants to. */
export function RefuseProposal({ onCancel, ...props }: CloseProps & { onCancel: () => void }) {
  const { close, isBusy, problem } = useClose(props);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // It stands where the button was that opened it.
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void close(reason);
  };
  return (
    <form className={parts['form']} onSubmit={submit}>
      <TextInput
        label="Reason (optional)"
        description={`${props.proposal.by ?? 'Whoever proposed this'} sees it, and so does anyone who can see payments.`}
        autoComplete="off"
        maxLength={PROPOSAL.reasonLength}
        ref={field}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isBusy}>
          Refuse these changes
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          Don’t refuse
        </Button>
      </div>
    </form>
  );
}

/** Withdraws one's own proposal, or refuses another one's. */
function useClose({ proposal: { operationId }, onClosed }: CloseProps) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const refresh = useAskProposals();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const close = async (reason: string): Promise<void> => {
    setIsBusy(true);
    const answer = await api.call(closeProposal, { userId, operationId, reason });
    setIsBusy(false);
    if (answer.kind !== 'success') setProblem(problemOf(answer, MAYBE_DECIDED));
    // Where somebody else was faster, whatever shows it says so.
    await refresh();
    if (answer.kind === 'success') onClosed(answer.data);
  };
  return { close, isBusy, problem };
}
