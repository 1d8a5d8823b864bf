import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CallData } from '#shared/contract/call.ts';
import { unsubscribe } from '#shared/contract/people/mail-links.ts';
import { NO_ANSWER, unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { AuthPage } from '../auth-page.tsx';

type Stopped = CallData<typeof unsubscribe>['stopped'];

const DONE: Readonly<Record<Stopped, string>> = {
  alert_digest:
    'Done. You’ll no longer get daily alerts by email. You can turn them on again in your account settings.',
  client_report: 'Done. You’ll no longer get these monthly reports by email.',
};

/** What the link at a mail’s foot opens; programs that open links don’t press. */
export function UnsubscribePage() {
  usePageTitle('Unsubscribe');
  const { api, paths, platform } = useServices();
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [stopped, setStopped] = useState<Stopped>();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const stop = async (): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await api.call(unsubscribe, { token });
    setIsSending(false);
    if (answer.kind === 'success') return setStopped(answer.data.stopped);
    return setProblem(
      answer.kind === 'error'
        ? answer.message
        : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
    );
  };
  return (
    <AuthPage title="Unsubscribe" home={paths.landing}>
      <div className="grid gap-5">
        {stopped ? (
          <p role="status">{DONE[stopped]}</p>
        ) : (
          <>
            <p>
              Do you want to stop getting emails like the one you came from? Nothing else changes.
            </p>
            <FormProblem sentence={problem} />
            <Button loading={isSending} onClick={() => void stop()} fullWidth>
              Unsubscribe
            </Button>
          </>
        )}
      </div>
    </AuthPage>
  );
}
