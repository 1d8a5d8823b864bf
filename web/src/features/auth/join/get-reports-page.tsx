import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { confirmReports } from '#shared/contract/people/mail-links.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { NO_ANSWER, unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { AuthPage } from '../auth-page.tsx';

/** What the link in a mail opens that asks somebody whether they want reports; programs that open links don't press. */
export function GetReportsPage() {
  usePageTitle('Monthly reports');
  const { api, paths, platform } = useServices();
  const token = useLocation().hash.slice(1);
  const [state, setState] = useState<'open' | 'sending' | 'done'>('open');
  const [problem, setProblem] = useState<string>();
  const confirm = async (): Promise<void> => {
    setState('sending');
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await api.call(confirmReports, { token });
    if (answer.kind === 'success') return setState('done');
    setState('open');
    return setProblem(
      answer.kind === 'error'
        ? answer.message
        : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
    );
  };
  return (
    <AuthPage title="Monthly reports" home={paths.landing}>
      <div className="grid gap-5">
        {state === 'done' ? (
          <p role="status">Thank you. You’ll get a report on the 2nd of each month.</p>
        ) : (
          <>
            <p>
              A customer of {PRODUCT_NAME} would like to send you a report by email each month. You
              get none unless you say yes.
            </p>
            <FormProblem sentence={problem} />
            <Button loading={state === 'sending'} onClick={() => void confirm()} fullWidth>
              Get monthly reports
            </Button>
          </>
        )}
      </div>
    </AuthPage>
  );
}
