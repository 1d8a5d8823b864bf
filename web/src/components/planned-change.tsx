import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { keepPlan } from '#shared/contract/subscription.ts';
import { stateWithUser } from '../platform/client-state.ts';
import { useServices } from '../platform/services.ts';
import { useCustomer } from './customer.ts';
import { FormProblem } from './form-problem.tsx';
import { NeedsNetwork } from './needs-network.tsx';
import styles from './plan-change.module.css';
import { type PlannedChange, plannedSentence } from './plan-change-words.ts';
import { toastSuccess } from './toast.ts';

const NO_ANSWER = 'We couldn’t reach the server. Please try again.';

/** The plan that follows at the next due date, and the button that takes it back (D5). */
export function PlannedChangeNotice({
  account,
  planned,
}: {
  account: ConnectedAccount;
  planned: PlannedChange;
}) {
  const { api, state, hints, platform } = useServices();
  const { userId, sync } = useCustomer();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const keep = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    const answer = await api.call(keepPlan, { userId, igUsername: account.igUsername });
    setIsBusy(false);
    if (answer.kind !== 'success') {
      setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
      return;
    }
    state.setState(stateWithUser(state.getState(), answer.data));
    hints.remember(answer.data);
    sync.wake();
    toastSuccess('Your plan stays the same.');
  };

  return (
    <section className={styles['step']} aria-label="Upcoming plan change">
      <p>{plannedSentence(planned, account.timeZone ?? platform.timeZone())}</p>
      <FormProblem sentence={problem} />
      <NeedsNetwork what="A plan change" />
      <div className={styles['actions']}>
        <Button
          loading={isBusy}
          onClick={() => {
            keep().catch((error: unknown) => platform.report('The plan was left as it is', error));
          }}
        >
          Keep my plan
        </Button>
      </div>
    </section>
  );
}
