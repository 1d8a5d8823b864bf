import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { keepPlan } from '#shared/contract/money/subscription.ts';
import { NO_ANSWER } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { NeedsNetwork } from '#web/customer/needs-network.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { type PlannedChange, plannedSentence } from './plan-change-words.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';

/** The plan that follows at the next due date, and the button that takes it back (D5). */
export function PlannedChangeNotice({
  account,
  planned,
}: {
  account: ConnectedAccount;
  planned: PlannedChange;
}) {
  const { api, platform } = useServices();
  const { userId, keepAnswer } = useCustomer();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const keep = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    const answer = await api.call(keepPlan, { userId, igUsername: account.igUsername });
    if (answer.kind === 'success') await keepAnswer(answer.data);
    setIsBusy(false);
    if (answer.kind !== 'success') {
      setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
      return;
    }
    toastSuccess('Your plan stays the same.');
  };

  return (
    <section className={parts['form']} aria-label="Upcoming plan change">
      <p>{plannedSentence(planned, account.timeZone ?? platform.timeZone())}</p>
      <FormProblem sentence={problem} />
      <NeedsNetwork what="A plan change" />
      <div className={parts['actions']}>
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
