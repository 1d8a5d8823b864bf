import { Button } from '@mantine/core';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useWaitingProposals } from '#web/customer/proposals/use-proposals.ts';
import { useServices } from '#web/platform/services.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { proposalWords } from './bulk-words.ts';
import styles from './bulk.module.css';

/** Changes that wait for this person's approval, on top of the accounts. */
export function WaitingProposals() {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const waiting = useWaitingProposals();
  if (waiting.length === 0) return null;
  return (
    <Notice tone="wait">
      <ul className={styles['recent']} aria-label="Waiting for your approval">
        {waiting.map((proposal) => (
          <li key={proposal.operationId}>
            <span>{proposalWords(proposal, platform.timeZone())}</span>
            <Button
              onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], proposal })}
              aria-label={`Review the changes of ${proposal.by ?? 'a former member'}`}
            >
              Review
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
