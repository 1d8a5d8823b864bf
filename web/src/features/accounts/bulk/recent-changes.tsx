import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type BulkOperation, findBulk, type Proposal } from '#shared/contract/accounts/bulk.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useProposals } from '#web/customer/proposals/use-proposals.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { operationWords, proposalWords } from './bulk-words.ts';
import styles from './bulk.module.css';

/** Operations of before: the one that runs, and those that can be looked at again. */
export function RecentChanges({
  isAlone,
  onOpen,
  onProposal,
}: {
  /** Nothing else is in the dialog. */
  isAlone: boolean;
  onOpen: (operation: BulkOperation) => void;
  onProposal: (proposal: Proposal) => void;
}) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const proposals = useProposals();
  const [recent, setRecent] = useState<readonly BulkOperation[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    api.call(findBulk, { userId }, { signal: stop.signal }).then(
      (answer) =>
        answer.kind === 'success' ? setRecent(answer.data) : setProblem(problemOf(answer)),
      () => undefined,
    );
    return () => stop.abort();
  }, [api, userId]);
  if (problem !== undefined) return isAlone ? <FormProblem sentence={problem} /> : null;
  if (!recent) return isAlone ? <p role="status">Loading…</p> : null;
  if (recent.length + proposals.length === 0) return isAlone ? <p>No bulk changes yet.</p> : null;
  return (
    <section aria-label="Recent changes">
      {!isAlone && <h3>Recent changes</h3>}
      <ul className={styles['recent']}>
        {proposals.map((proposal) => (
          <li key={proposal.operationId}>
            <span>{proposalWords(proposal, platform.timeZone())}</span>
            <Button variant="default" onClick={() => onProposal(proposal)}>
              {proposal.state === 'proposed' && !proposal.isOwn ? 'Review' : 'Show'}
            </Button>
          </li>
        ))}
        {recent.map((operation) => (
          <li key={operation.operationId}>
            <span>{operationWords(operation, platform.timeZone())}</span>
            <Button variant="default" onClick={() => onOpen(operation)}>
              {operation.undoUntil === null ? 'Show' : 'Show or undo'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
