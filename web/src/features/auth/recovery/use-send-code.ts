import { useState } from 'react';
import { verifyUserAndSendEmail } from '#shared/contract/people/recovery.ts';
import { hideToasts, toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { type RecoveryState, recoveryStateOf } from './recovery-state.ts';

const NO_ANSWER =
  'We couldn’t reach the server, so the code may not be on its way. Please try again.';

/** The toast says why. */
const NOT_SENT = 'No code was sent.';
const MAYBE_SENT = 'The code may not be on its way. Please try again.';

/** How asking for a code ended; `sentence` stands by the form. */
type SendCodeOutcome =
  | { kind: 'sent'; state: RecoveryState }
  | { kind: 'failed'; sentence: string };

/** Asks for a code by mail, with the messages of S§8. */
export function useSendCode(): {
  isSending: boolean;
  sendCode: (email: string) => Promise<SendCodeOutcome>;
} {
  const { api } = useServices();
  const [isSending, setIsSending] = useState(false);

  const sendCode = async (email: string): Promise<SendCodeOutcome> => {
    hideToasts();
    setIsSending(true);
    const answer = await api.call(verifyUserAndSendEmail, { email });
    setIsSending(false);
    switch (answer.kind) {
      case 'success':
        toastSuccess('Verification email sent.');
        return { kind: 'sent', state: recoveryStateOf(email, answer.extra) };
      case 'error':
        toastError(answer.message);
        return { kind: 'failed', sentence: NOT_SENT };
      case 'unknown_status':
        toastError('Unknown error occurred.');
        return { kind: 'failed', sentence: MAYBE_SENT };
      case 'network':
        toastError('An error occurred. Please try again.');
        return { kind: 'failed', sentence: NO_ANSWER };
      default:
        return answer satisfies never;
    }
  };
  return { isSending, sendCode };
}
